import { useState } from 'react'
import { MESSAGE_REASONS, type MessageReason } from '#contract/messages.ts'
import { messageTemplate } from '#contract/reasons.ts'
import { ChoiceButton } from '~/collisions/ChoiceButton'
import type { Form } from '~/lib/form/use-form'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { REASON_ICONS } from './reason-icons.ts'
import { isOwnText, type SendValues } from './send-draft.ts'

type Props = {
  selected: MessageReason | ''
  /** Called for the selected one too: a second tap deselects it. */
  onToggle: (reason: MessageReason) => void
}

/** Offers the reasons to write, one tap each. */
export function ReasonButtons({ selected, onToggle }: Props) {
  return (
    <fieldset>
      <legend className="pb-2 font-bold">
        {m.send_reason()} <span className="font-normal text-ink-soft">{m.field_optional()}</span>
      </legend>
      <div className="grid grid-cols-2 gap-2 max-[18rem]:grid-cols-1 sm:grid-cols-3">
        {MESSAGE_REASONS.map((reason) => (
          <ChoiceButton
            key={reason}
            {...REASON_ICONS[reason]}
            pressed={reason === selected}
            iconClassName={reason === 'someone_inside' && reason !== selected ? 'text-danger' : 'text-pine'}
            className="min-h-12 text-sm last:-col-end-1 last:col-start-1 sm:last:col-auto"
            onClick={() => onToggle(reason)}
          />
        ))}
      </div>
    </fieldset>
  )
}

/**
 * Handles the reason buttons of a form. A press fills in the template of the reason, unless the message has text of the
 * user's own. Pressing the selected one again deselects it.
 */
export function useReasonPicker({ getValues, setValue, setFocus }: Form<SendValues>) {
  const [status, setStatus] = useState('')
  const [helpAcknowledged, setHelpAcknowledged] = useState(false)

  /** Fills in a text, unless the message has text of the user's own. Returns whether it did. */
  const fill = (text: string): boolean => {
    const written = getValues().content
    if (isOwnText(written)) {
      setStatus(m.send_reason_kept())
      return false
    }
    setValue('content', text)
    setStatus(text && m.send_reason_filled({ text }))
    return true
  }

  return {
    fill,
    /** Announced after a press: the text that is in the message now. */
    status,
    /**
     * Whether the user has read that a call for help comes first; the form waits for it while somebody is in danger.
     */
    helpAcknowledged,
    acknowledgeHelp: () => setHelpAcknowledged(true),
    toggle(reason: MessageReason) {
      const { reason: chosen, plate } = getValues()
      const next = reason === chosen ? '' : reason
      setValue('reason', next)
      setHelpAcknowledged(false)
      // what happened is asked first, and has texts of its own
      const text = next === '' || next === 'accident' ? '' : (messageTemplate(next, getLocale()) ?? '')
      if (!fill(text)) return next === '' ? setStatus('') : undefined
      return next === 'other' ? setFocus(plate === '' ? 'plate' : 'content') : undefined
    },
  }
}
