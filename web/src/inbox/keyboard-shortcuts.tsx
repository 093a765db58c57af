import { useEffect, useEffectEvent, useRef } from 'react'
import { m } from '~/paraglide/messages'

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

/** Shows which keys do what, where there is a keyboard. */
export function ShortcutHelp({ keys }: { keys: [key: string, what: string][] }) {
  return (
    <p className="hidden flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft pointer-fine:flex">
      <span className="font-bold">{m.keys_label()}</span>
      {keys.map(([key, what]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <kbd className="rounded border border-line-strong bg-surface px-1.5 py-0.5 font-sans text-xs font-bold text-ink">
            {key}
          </kbd>
          {what}
        </span>
      ))}
    </p>
  )
}

/** Lets a number key press the button that this is in, and shows which where there is a keyboard. */
export function NumberKey({ number }: { number: number }) {
  const shown = useRef<HTMLSpanElement>(null)
  useKeyboardShortcuts((key) => {
    if (key === String(number)) shown.current?.closest('button')?.click()
    return key === String(number)
  })
  return (
    <span ref={shown} aria-hidden="true" className="hidden text-ink-soft pointer-fine:inline">
      {number}
    </span>
  )
}
