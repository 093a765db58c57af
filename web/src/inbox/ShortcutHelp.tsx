import { m } from '~/paraglide/messages'

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

/** Shows on a button which number key presses it, where there is a keyboard. */
export const NumberKey = ({ number }: { number: number }) => (
  <span aria-hidden="true" className="hidden text-ink-soft pointer-fine:inline">
    {number}
  </span>
)
