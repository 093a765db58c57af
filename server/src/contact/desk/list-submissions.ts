import * as z from 'zod/mini'
import type { DeskState } from '#contract/contact-desk.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { MAX_UUID, MIN_UUID, pageLimit, parseCursor, toPage } from '../../db/pagination.ts'
import type { Db } from '../../db/pool.ts'
import { listSubmissions } from './queries.ts'

/** Lists what people wrote, without its text: the open ones oldest first, the closed ones newest first. */
export async function listContactItems(db: Db, state: DeskState, paging: PageParams) {
  const limit = pageLimit(paging)
  const after = parseCursor(z.uuid(), paging) ?? (state === 'open' ? MIN_UUID : MAX_UUID)
  return toPage(
    await listSubmissions(db, state, after, limit + 1),
    limit,
    (row) => row.id,
    (row) => row,
  )
}
