import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab<Value extends string> = { value: Value; label: ReactNode; content: ReactNode }

type Props<Value extends string> = {
  /** What the row of tabs is about, for screen readers. */
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly Tab<Value>[]
}

/** Tabs whose choice the page keeps (in its address). Arrow keys switch at once. */
export function Tabs<Value extends string>({ label, value, onChange, tabs }: Props<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List aria-label={label} activateOnFocus className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-11 border-b-3 border-transparent px-4 font-bold text-ink-soft hover:text-ink data-active:border-signal data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
