import { useEffect, useEffectEvent } from 'react'

/** Returns whether a key belongs to the control that has the focus, to a dialog, or to the browser. */
const isTaken = ({ target, altKey, ctrlKey, metaKey, isComposing }: KeyboardEvent) =>
  altKey ||
  ctrlKey ||
  metaKey ||
  isComposing ||
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable], [role=tab]'))

/** Listens to single keys on the whole page, unless somebody is typing. The handler returns whether it used the key. */
export function useKeyboardShortcuts(onKey: (key: string) => boolean) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (!isTaken(event) && onKey(event.key)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

const STEPS: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/**
 * Moves the focus through the elements a selector finds, by j and k or the arrow keys, starting at the one that is open; Enter is left
 * to the elements.
 */
export function useListShortcuts(selector: string) {
  useKeyboardShortcuts((key) => {
    const step = STEPS[key]
    const items = [...document.querySelectorAll<HTMLElement>(selector)]
    if (step === undefined || items.length === 0) return false
    const focused = items.indexOf(document.activeElement as HTMLElement)
    // an open item is scrolled by the arrows
    if (focused === -1 && key.startsWith('Arrow') && document.querySelector(`${selector}[aria-current]`)) return false
    const at = focused === -1 ? items.findIndex((item) => item.hasAttribute('aria-current')) : focused
    const next = at === -1 ? (step > 0 ? 0 : items.length - 1) : Math.min(Math.max(at + step, 0), items.length - 1)
    items[next]?.focus()
    return true
  })
}
