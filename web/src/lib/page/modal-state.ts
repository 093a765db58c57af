let modalClosed = Promise.resolve()

/** Settles when no dialog lies over the page: until then nobody is told of what changes on it, nor can press it. */
export const whenModalClosed = () => modalClosed

/**
 * Call when a dialog opens over the page, which stays where it was scrolled to.
 *
 * @returns to call when the dialog has left
 */
export function lockPageForModal() {
  const { style, clientWidth } = document.documentElement
  if (innerWidth > clientWidth) style.scrollbarGutter = 'stable' // the room of its scrollbar stays: nothing moves
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
