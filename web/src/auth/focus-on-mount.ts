/** As `ref` of a heading with tabIndex -1: what took the place of a form is read out, and the Tab key goes on from there. */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
