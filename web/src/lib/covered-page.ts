let uncovered = Promise.resolve()

/** Settles when no dialog lies over the page: until then nobody is told of what changes on it, nor can press it. */
export const pageUncovered = () => uncovered

/**
 * Call when a dialog opens over the page, which stays where it was scrolled to.
 *
 * @returns to call when the dialog has left
 */
export function coverPage() {
  const { style, clientWidth } = document.documentElement
  if (innerWidth > clientWidth) style.scrollbarGutter = 'stable' // the room of its scrollbar stays: nothing moves
  style.overflow = 'hidden'
  let uncover = () => {}
  uncovered = new Promise((resolve) => {
    uncover = resolve
  })
  return () => {
    style.overflow = style.scrollbarGutter = ''
    uncover()
  }
}
