/**
 * Focuses a button that appears when the element that had the focus is gone: the form that was submitted, or the card that its list
 * drops.
 */
export function focusIfLost(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus({ preventScroll: true })
}
