import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus on the page when a decision takes away the button that was pressed, or later the whole card: it goes
 * to the card, and to `fallback` when that has gone too. Cards carry their id as the id of the element.
 */
export function useFocusKept(fallback: RefObject<HTMLElement | null>) {
  const decided = useRef<string | null>(null)

  const restore = () => {
    if (decided.current === null) return
    const card = document.getElementById(decided.current)
    const place = card ?? fallback.current
    place?.focus({ preventScroll: true })
    if (!card) decided.current = null
  }
  useEffect(() => {
    if (document.activeElement === document.body) restore()
  })
  return {
    /** Puts the focus where it belongs after the last decision. */
    restore,
    decidedOn: (id: string) => {
      decided.current = id
    },
  }
}
