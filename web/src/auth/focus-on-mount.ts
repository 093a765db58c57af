/**
 * Focuses a heading as it appears, given as its `ref` together with tabIndex -1. Screen readers then announce what has
 * replaced a form, and the Tab key continues from there.
 */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
