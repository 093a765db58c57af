import clsx from 'clsx'
import { type KeyboardEvent, type ReactNode, useId } from 'react'

type Tab<Value extends string> = { value: Value; label: ReactNode; content: ReactNode }

type Props<Value extends string> = {
  /** Names the row of tabs for screen readers. */
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly Tab<Value>[]
}

/** The index that each key moves to. */
const keyTargets: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Shows tabs; the page holds the selected one (in its URL). Arrow keys, Home and End select at once (WAI-ARIA APG, tabs). */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: Props<Value>) {
  const id = useId()
  const index = tabs.findIndex((tab) => tab.value === value)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return // a shortcut of the browser
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
              aria-controls={selected ? `${id}-panel` : undefined} // the other panels are not on the page
              tabIndex={selected ? 0 : -1}
              className={clsx(
                '-mb-px min-h-11 border-b-3 px-4 font-bold',
                selected
                  ? 'border-signal text-ink'
                  : 'border-transparent text-ink-soft hover:text-ink forced-colors:border-[Canvas]',
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the Tab key moves from the row to the selected panel (WAI-ARIA APG)
        tabIndex={0}
        className="pt-5"
      >
        {tabs[index]?.content}
      </div>
    </div>
  )
}
