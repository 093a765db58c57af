import * as z from 'zod/mini'
import type { DeskState } from '#contract/cases.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type CaseRow, listClosedCases, listOpenCases, type OpenCasePosition } from '../reports/case-queries.ts'
import { withDecisions } from './case-decisions.ts'

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
