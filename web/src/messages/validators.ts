import { MESSAGE_MAX } from '#contract/messages.ts'
import { m } from '~/paraglide/messages'

/** Validates the length of a message or a reply, counted as the server counts: returns true, or what is wrong. */
export const validateMessageLength = (typed: string): true | string =>
  Array.from(typed).length <= MESSAGE_MAX || m.message_too_long({ max: MESSAGE_MAX })
