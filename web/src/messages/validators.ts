import { MESSAGE_MAX } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'

/** Of messages and replies: true, or the text that says it is too long. Counted as the server counts. */
export const validateMessageLength = (typed: string): true | string =>
  Array.from(typed).length <= MESSAGE_MAX || m.message_too_long({ max: MESSAGE_MAX })
