// chunk: email-change (the section of the profile and the page of the links)

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EmailInput } from './fields.ts'

/** For how long a change of the address can be confirmed, in hours. */
export const EMAIL_CHANGE_HOURS = 24

/** For how long the former mailbox can undo it, in days. */
export const EMAIL_UNDO_DAYS = 7

/** A change of the account's address that waits for its mailboxes (decision email-change). */
export const PendingEmailChange = z.object({
  new_email: z.string(),
  requested_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  current_confirmed: z.boolean(),
  new_confirmed: z.boolean(),
})
export type PendingEmailChange = z.infer<typeof PendingEmailChange>

const EmailChange = z.object({ pending: z.nullable(PendingEmailChange) })

export const getEmailChange = endpoint({
  method: 'GET',
  path: '/api/email-change',
  audience: 'user',
  summary: 'The change of the own address that waits to be confirmed.',
  output: EmailChange,
})

export const requestEmailChange = endpoint({
  method: 'POST',
  path: '/api/email-change',
  audience: 'verified',
  summary:
    'Asks for another address, in a session begun within 15 minutes. Both mailboxes get a link that confirms it; a change that waits is replaced.',
  input: z.object({ email: EmailInput }),
  output: EmailChange,
})

export const resendEmailChange = endpoint({
  method: 'POST',
  path: '/api/email-change/resend',
  audience: 'user',
  summary: 'Emails new links to the mailboxes that have not confirmed the change yet; the earlier links end.',
  output: EmailChange,
})

export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/email-change',
  audience: 'user',
  summary: 'Cancels the change that waits, if there is one; its links end.',
})

/** What the links in the emails about a change do. */
export const EMAIL_LINK_ACTIONS = ['confirm', 'stop', 'undo'] as const
export type EmailLinkAction = (typeof EMAIL_LINK_ACTIONS)[number]

const EmailLinkOutcome = z.object({
  /** `waiting`: the other mailbox has to confirm it too. */
  state: z.enum(['waiting', 'changed', 'stopped', 'undone']),
})
export type EmailLinkState = z.infer<typeof EmailLinkOutcome>['state']

export const followEmailLink = endpoint({
  method: 'POST',
  path: '/api/email-change/links',
  audience: 'public',
  summary:
    'Does what a link about a change of address is for, once: confirms it, stops it and signs out everywhere, or undoes it.',
  input: z.object({
    action: z.enum(EMAIL_LINK_ACTIONS),
    token: z.string().check(z.maxLength(200)),
  }),
  output: EmailLinkOutcome,
})
