import clsx from 'clsx'
import { useId, useState } from 'react'
import { m } from '~/paraglide/messages'

const LONG_CHARACTERS = 480
const LONG_LINES = 8

/**
 * Shows a text exactly as it was written: plain, with its line breaks, its links not clickable (a stranger wrote them).
 * Of a long text it shows the beginning, with a button for the rest.
 */
export function MessageText({ text, open = false }: { text: string; open?: boolean }) {
  const id = useId()
  const [override, setOverride] = useState<boolean | null>(null)
  const isLong = text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES
  const isExpanded = !isLong || (override ?? open)
  return (
    <div>
      <p
        id={id}
        dir="auto"
        className={clsx('max-w-prose text-lg whitespace-pre-wrap wrap-anywhere', !isExpanded && 'line-clamp-6')}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={id}
          className="link mt-1 min-h-11"
          onClick={() => setOverride(!isExpanded)}
        >
          {isExpanded ? m.message_less() : m.message_more()}
        </button>
      )}
    </div>
  )
}
