import { useState } from 'react'
import type { MessageReason } from '#contract/messages.ts'
import { isReadyText, readyText } from '#contract/reasons.ts'
import { getLocale } from '~/lib/i18n'
import type { Form } from '~/lib/use-form'
import { m } from '~/paraglide/messages'
import type { SendValues } from './send-values.ts'

/**
 * The reason buttons beside the message. A press fills in the reason's ready text, in place of another untouched one; what
 * a person wrote stays. Pressing the chosen one again lets go of it.
 */
export function useReason({ read, write, focus }: Form<SendValues>) {
  const [status, setStatus] = useState('')
  const [helpCalled, setHelpCalled] = useState(false)

  return {
    /** Said aloud after a press: the text that stands in the message now. */
    status,
    /** Somebody is in danger: the form waits until the person has read that help comes first. */
    helpFirst: !helpCalled,
    goOn: () => setHelpCalled(true),
    press(reason: MessageReason) {
      const { reason: chosen, content: written } = read()
      const next = reason === chosen ? '' : reason
      write('reason', next)
      setHelpCalled(false)
      if (written.trim() !== '' && !isReadyText(written)) return setStatus(next && m.send_reason_kept())
      const text = next === '' ? '' : (readyText(next, getLocale()) ?? '')
      write('content', text)
      setStatus(text && m.send_reason_filled({ text }))
      if (next === 'other') focus('content')
    },
  }
}
