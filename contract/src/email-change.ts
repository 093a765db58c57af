// chunk: email-change (the section of the profile and the page of the links)

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { EmailInput } from './fields.ts'

/** For how long a change of the address can be confirmed, in hours. */
export const EMAIL_CHANGE_HOURS = 24

/** For how long a mailbox can undo what happened to its account, in days (decision mailbox-keeps-the-account). */
export const UNDO_DAYS = 7

/** A change of the account's address that waits for its mailboxes (decision email-change). */
export const PendingEmailChange = z.object({
  new_email: z.string(),
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

/** What the links in the emails about an account do. */
export const ACCOUNT_LINK_ACTIONS = ['confirm', 'undo'] as const
export type AccountLinkAction = (typeof ACCOUNT_LINK_ACTIONS)[number]

const AccountLinkOutcome = z.object({
  /** `waiting`: the other mailbox has to confirm it too. */
  state: z.enum(['waiting', 'changed', 'undone']),
})
export type AccountLinkState = z.infer<typeof AccountLinkOutcome>['state']

export const followAccountLink = endpoint({
  method: 'POST',
  path: '/api/account-links',
  audience: 'public',
  summary:
    'Does what a link of an email is for, once: confirms a change of address; or undoes what was added to the account, changed or removed, and signs out everywhere.',
  input: z.object({
    action: z.enum(ACCOUNT_LINK_ACTIONS),
    token: z.string().check(z.maxLength(200)),
  }),
  output: AccountLinkOutcome,
})
