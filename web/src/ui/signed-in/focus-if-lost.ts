/**
 * Focuses an element that appears when the one that had the focus is gone: the form that was submitted, or the card that its list
 * drops.
 */
export function focusIfLost(element: HTMLElement | null) {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
