import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { decryptIncident } from './incident-encryption.ts'
import { findIncidents } from './incident-queries.ts'

/** Lists the register of incidents, the latest entry first. */
export async function listIncidents(db: Db, decryptContext: DecryptContext, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows = await findIncidents(db, parseCursor(z.uuid(), paging) ?? MAX_UUID, limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    ({ text_encrypted, ...entry }) => ({ ...entry, ...decryptIncident(decryptContext, entry.id, text_encrypted) }),
  )
}
