let modalClosed = Promise.resolve()

/** Resolves when no dialog covers the page: until then its changes are not announced, and it cannot be clicked. */
export const whenModalClosed = () => modalClosed

/**
 * Keeps the page from scrolling while a dialog covers it.
 *
 * @returns a function to call once the dialog is closed
 */
export function lockPageForModal() {
  const { style, clientWidth } = document.documentElement
  if (innerWidth > clientWidth) style.scrollbarGutter = 'stable' // keeps the space of the scrollbar, so that nothing moves
  style.overflow = 'hidden'
  let resolveClosed = () => {}
  modalClosed = new Promise((resolve) => {
    resolveClosed = resolve
  })
  return () => {
    style.overflow = style.scrollbarGutter = ''
    resolveClosed()
  }
}
