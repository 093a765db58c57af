import { useState } from 'react'
import type { MessageReason } from '#contract/messages.ts'
import { isMessageTemplate, messageTemplate } from '#contract/reasons.ts'
import type { Form } from '~/lib/form/use-form'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import type { SendValues } from './send-values.ts'

/**
 * The reason buttons beside the message. A press fills in the reason's ready text, in place of another untouched one; what
 * a person wrote stays. Pressing the chosen one again lets go of it.
 */
export function useReasonPicker({ getValues, setValue, setFocus }: Form<SendValues>) {
  const [status, setStatus] = useState('')
  const [helpAcknowledged, setHelpAcknowledged] = useState(false)

  return {
    /** Said aloud after a press: the text that stands in the message now. */
    status,
    /** Somebody is in danger: the form waits until the person has read that help comes first. */
    helpFirst: !helpAcknowledged,
    acknowledgeHelp: () => setHelpAcknowledged(true),
    toggle(reason: MessageReason) {
      const { reason: chosen, content: written } = getValues()
      const next = reason === chosen ? '' : reason
      setValue('reason', next)
      setHelpAcknowledged(false)
      if (written.trim() !== '' && !isMessageTemplate(written)) return setStatus(next && m.send_reason_kept())
      const text = next === '' ? '' : (messageTemplate(next, getLocale()) ?? '')
      setValue('content', text)
      setStatus(text && m.send_reason_filled({ text }))
      if (next === 'other') setFocus('content')
    },
  }
}
