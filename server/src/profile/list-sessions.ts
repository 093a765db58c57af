import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import type { ActiveSession } from '#contract/profile.ts'
import { listSessions, type SessionListRow } from '../auth/session-queries.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { Actor } from '../http/actor.ts'

const CursorFormat = z.string().check(z.regex(/^\d{1,18}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

/** Returns a page of the sessions a person is signed in with, the last active first. */
export async function getSessionsPage(db: Db, { id, sessionId }: Actor, paging: PageParams) {
  const limit = pageLimit(paging)
  const [refreshedUs, before] = parseCursor(CursorFormat, paging)?.split('.') ?? []
  const position = refreshedUs !== undefined && before !== undefined ? { refreshedUs, id: before } : null
  const rows = await listSessions(db, id, position, limit + 1)
  return toPage(
    rows,
    limit,
    (row) => `${row.refreshed_us}.${row.id}`,
    (row) => toDeviceSession(row, sessionId),
  )
}

const toDeviceSession = (row: SessionListRow, currentId: string): ActiveSession => ({
  id: row.id,
  user_agent: row.user_agent,
  signed_in_at: row.created_at,
  last_seen_at: row.refreshed_at,
  current: row.id === currentId,
})
