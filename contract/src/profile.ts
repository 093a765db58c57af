import * as z from 'zod/mini'
import { EmptyObject, endpoint, PageParams, pageOf } from './endpoint.ts'

/** One browser or app a person is signed in with. */
export const ActiveSession = z.object({
  id: z.uuid(),
  /** As the browser names itself; null when it did not. */
  user_agent: z.nullable(z.string()),
  signed_in_at: z.iso.datetime(),
  /** When it last renewed its session: at most an hour behind what it last did. */
  last_seen_at: z.iso.datetime(),
  /** The one that asks. */
  current: z.boolean(),
})
export type ActiveSession = z.infer<typeof ActiveSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  audience: 'user',
  status: 200,
  summary: 'Where the person is signed in, the latest first.',
  input: PageParams,
  output: pageOf(ActiveSession),
})

/** How long after its password or link a session counts as fresh, in seconds: for what an open browser must not give away. */
export const FRESH_SESSION_S = 15 * 60

/** The export is one JSON download whose shape `docs/export.md` describes; the answer is written by the server as it stands. */
export const exportData = endpoint({
  method: 'GET',
  path: '/api/export',
  audience: 'user',
  status: 200,
  summary: 'Everything kept about the person, as one JSON download. Needs a session begun within 15 minutes.',
  input: EmptyObject,
  output: z.record(z.string(), z.unknown()),
})

export const DELETE_REASON_MAX = 1000

export const deleteUser = endpoint({
  method: 'POST',
  path: '/functions/v1/delete-user',
  audience: 'user',
  status: 200,
  summary: 'Deletes the own account, or as an admin any other, with everything decision 0049 and requirements §4 say.',
  // an admin may say why; it stands in the audit log
  input: z.object({
    id: z.uuid().check(z.toLowerCase()),
    reason: z.optional(z.string().check(z.trim(), z.maxLength(DELETE_REASON_MAX))),
  }),
  output: EmptyObject,
})
