// chunk: signed-in

import * as z from 'zod/mini'
import { AccountEvent } from './account-events.ts'
import { EmptyObject, endpoint, PageParams, pageOf } from './endpoint.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** One browser or app the user is signed in with. */
export const ActiveSession = z.object({
  id: z.uuid(),
  /** The browser's own description; null when it sent none. */
  user_agent: z.nullable(z.string()),
  signed_in_at: z.iso.datetime(),
  /** When it last renewed its session, at most an hour before its latest request. */
  last_seen_at: z.iso.datetime(),
  /** Whether it is the one that made the request. */
  current: z.boolean(),
})
export type ActiveSession = z.infer<typeof ActiveSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  audience: 'user',
  summary: 'Where the person is signed in, the latest first.',
  input: PageParams,
  output: pageOf(ActiveSession),
})

export const listAccountEvents = endpoint({
  method: 'GET',
  path: '/api/account-events',
  audience: 'user',
  summary: 'What happened to the person’s account in the last 90 days, the latest first.',
  input: PageParams,
  output: pageOf(AccountEvent),
})

/** How long after its sign-in a session counts as fresh, in seconds: required for what an unattended browser must not give away. */
export const FRESH_SESSION_S = 15 * 60

/** The export is one JSON download in the format of `docs/export.md`; the server streams it without this schema. */
export const exportData = endpoint({
  method: 'GET',
  path: '/api/export',
  audience: 'user',
  summary: 'Everything kept about the person, as one JSON download. Needs a session begun within 15 minutes.',
  output: z.record(z.string(), z.unknown()),
})

export const DELETE_REASON_MAX = 1000

export const deleteUser = endpoint({
  method: 'POST',
  path: '/functions/v1/delete-user',
  audience: 'user',
  summary:
    'Deletes the own account, which needs a session begun within 15 minutes, or as an admin any other, with everything decision retention-and-deletion and requirements §4 say.',
  // an admin may give a reason, which the audit log shows
  input: z.object({
    id: z.uuid().check(z.toLowerCase()),
    reason: z.optional(
      z.string().check(
        z.trim(),
        z.maxLength(DELETE_REASON_MAX),
        z.refine((s) => s === '' || hasVisibleCharacter(s), 'reason_missing'),
      ),
    ),
  }),
  output: EmptyObject,
})
