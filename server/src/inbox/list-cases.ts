import * as z from 'zod/mini'
import { CaseAction, type CaseItem, type DeskState } from '#contract/cases.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { findLatestEntriesAbout } from '../audit/queries.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type CaseRow, listClosedCases, listOpenCases, type OpenCasePosition } from '../reports/case-queries.ts'

/**
 * Completes cases with how they were closed, which is in the audit log. It keeps its entries as long as a case is kept.
 */
export async function withDecisions(db: Db, rows: CaseRow[]): Promise<CaseItem[]> {
  const ids = rows.filter(({ state }) => state === 'closed').map(({ id }) => id)
  const entries = ids.length > 0 ? await findLatestEntriesAbout(db, 'report_decided', ids) : []
  const entryByCase = new Map(entries.map((entry) => [entry.subject_id, entry]))
  return rows.map((row) => {
    const entry = entryByCase.get(row.id)
    return {
      ...row,
      decision: entry
        ? { action: CaseAction.parse(entry.subject), decided_at: entry.at, decided_by: entry.actor_email }
        : null,
    }
  })
}

const OpenPosition = z.pipe(
  z.string().check(z.regex(/^[01] [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  z.transform((text): OpenCasePosition => ({ isRaised: text.startsWith('1'), id: text.slice(2) })),
)

/** Lists cases without any text: the open ones by how many have reported, then the oldest first; the closed ones newest first. */
export async function listCases(db: Db, state: DeskState, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows =
    state === 'open'
      ? await listOpenCases(db, parseCursor(OpenPosition, paging), limit + 1)
      : await listClosedCases(db, parseCursor(z.uuid(), paging), limit + 1)
  const toPosition = ({ id, is_raised }: CaseRow) => (state === 'open' ? `${is_raised ? 1 : 0} ${id}` : id)
  const { items, next } = toPage(rows, limit, toPosition, (row) => row)
  return { items: await withDecisions(db, items), next }
}
