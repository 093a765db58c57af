import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus on the page when a decision takes away the button that was pressed, or later the whole card: it goes
 * to the card, and to `fallback` when that has gone too. Cards carry their id as the id of the element.
 */
export function useRestoreFocus(fallback: RefObject<HTMLElement | null>) {
  const rememberedId = useRef<string | null>(null)

  const restore = () => {
    if (rememberedId.current === null) return
    const card = document.getElementById(rememberedId.current)
    const target = card ?? fallback.current
    target?.focus({ preventScroll: true })
    if (!card) rememberedId.current = null
  }
  useEffect(() => {
    if (document.activeElement === document.body) restore()
  })
  return {
    /** Puts the focus where it belongs after the last decision. */
    restore,
    remember: (id: string) => {
      rememberedId.current = id
    },
  }
}
