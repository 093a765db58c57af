import clsx from 'clsx'
import { Check } from 'lucide-react'
import { MESSAGE_REASONS, type MessageReason } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'
import { REASON_ICONS } from './reason-icons.ts'

type Props = {
  selected: MessageReason | ''
  /** Also for the chosen one: a second tap lets go of it. */
  onToggle: (reason: MessageReason) => void
}

/** Why somebody writes, one tap each. */
export function ReasonButtons({ selected, onToggle }: Props) {
  return (
    <fieldset>
      <legend className="pb-2 font-bold">
        {m.send_reason()} <span className="font-normal text-ink-soft">{m.field_optional()}</span>
      </legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {MESSAGE_REASONS.map((reason) => {
          const { icon: Icon, label } = REASON_ICONS[reason]
          const pressed = reason === selected
          const ShownIcon = pressed ? Check : Icon
          return (
            <button
              key={reason}
              type="button"
              aria-pressed={pressed}
              onClick={() => onToggle(reason)}
              className={clsx(
                'flex min-h-14 items-center gap-2.5 rounded-[0.625rem] border px-3 py-2 text-left text-sm leading-tight font-semibold',
                'last:col-span-2 sm:last:col-span-1',
                pressed
                  ? 'border-pine bg-pine-soft ring-1 ring-pine'
                  : 'border-line-strong bg-surface hover:bg-sunken active:bg-sunken',
              )}
            >
              <ShownIcon
                aria-hidden="true"
                className={clsx(
                  'size-5 shrink-0',
                  reason === 'someone_inside' && !pressed ? 'text-danger' : 'text-pine',
                )}
              />
              <span className="min-w-0 hyphens-auto wrap-break-word">{label()}</span>
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}
