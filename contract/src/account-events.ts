// chunk: signed-in

import * as z from 'zod/mini'

/** What can happen to an account (decision account-events). */
export const AccountEventType = z.enum([
  /** With a password. */
  'sign_in',
  /** A wrong password. */
  'sign_in_failed',
  /** Too many attempts. */
  'sign_in_refused',
  /** A link from an email, at its first use. */
  'link_used',
  'factor_added',
  'factor_used',
  'factor_failed',
  'factor_removed',
  'session_ended',
  'suspended',
  'suspension_lifted',
  'email_change_requested',
  'email_changed',
  /** From the mailbox, by its owner: somebody else was in the account. */
  'changes_undone',
])
export type AccountEventType = z.infer<typeof AccountEventType>

/** How long they are kept, in days. */
export const EVENT_RETENTION_DAYS = 90

export const AccountEvent = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  type: AccountEventType,
  /** The browser and the system, such as 'Firefox · Windows'; null when unknown, and for what was done on the server. */
  device: z.nullable(z.string()),
  /** Names the network without revealing its address: equal for events from one network. */
  network: z.nullable(z.string()),
  /** Whether it is the network that the request came from. */
  same_network: z.boolean(),
  /** Whether it happened in the session that made the request. */
  current_session: z.boolean(),
})
export type AccountEvent = z.infer<typeof AccountEvent>
