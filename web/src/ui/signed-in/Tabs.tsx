import clsx from 'clsx'
import { type KeyboardEvent, type ReactNode, useId } from 'react'

type Tab<Value extends string> = { value: Value; label: ReactNode; content: ReactNode }

type Props<Value extends string> = {
  /** What the row of tabs is about, for screen readers. */
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly Tab<Value>[]
}

/** Where a key leads from the tab at `place` of `count`. */
const keyTargets: Record<string, (place: number, count: number) => number> = {
  ArrowRight: (place, count) => (place + 1) % count,
  ArrowLeft: (place, count) => (place - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs whose choice the page keeps (in its address). Arrow keys, Home and End switch at once (WAI-ARIA APG, tabs). */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: Props<Value>) {
  const id = useId()
  const index = tabs.findIndex((tab) => tab.value === value)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return // the browser's own
    const next = tabs[keyTargets[event.key]?.(index, tabs.length) ?? -1]
    if (!next) return
    event.preventDefault()
    document.getElementById(`${id}-${next.value}`)?.focus()
    if (next.value !== value) onChange(next.value)
  }
  return (
    <div>
      <div role="tablist" aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((tab) => {
          const selected = tab.value === value
          return (
            <button
              key={tab.value}
              id={`${id}-${tab.value}`}
              type="button"
              role="tab"
              aria-selected={selected}
              aria-controls={selected ? `${id}-panel` : undefined} // the others are not on the page
              tabIndex={selected ? 0 : -1}
              className={clsx(
                '-mb-px min-h-11 border-b-3 px-4 font-bold',
                selected ? 'border-signal text-ink' : 'border-transparent text-ink-soft hover:text-ink',
              )}
              onClick={() => !selected && onChange(tab.value)}
              onKeyDown={onKeyDown}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      <div
        key={value}
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: Tab leads from the row to what was chosen (WAI-ARIA APG)
        tabIndex={0}
        className="pt-5"
      >
        {tabs[index]?.content}
      </div>
    </div>
  )
}
