import { ReportAction, type ReportItem } from '#contract/inbox.ts'
import { findLatestEntriesAbout } from '../audit/queries.ts'
import type { Db } from '../db/pool.ts'
import type { CaseRow } from '../reports/case-queries.ts'

/**
 * Completes reports with how they were closed, which is in the audit log. It keeps its entries as long as a report is kept.
 */
export async function withDecisions(db: Db, rows: CaseRow[]): Promise<ReportItem[]> {
  const ids = rows.filter(({ state }) => state === 'closed').map(({ id }) => id)
  const entries = ids.length > 0 ? await findLatestEntriesAbout(db, 'report_decided', ids) : []
  const entryByCase = new Map(entries.map((entry) => [entry.subject_id, entry]))
  return rows.map((row) => {
    const entry = entryByCase.get(row.id)
    return {
      ...row,
      decision: entry
        ? { action: ReportAction.parse(entry.subject), decided_at: entry.at, decided_by: entry.actor_email }
        : null,
    }
  })
}
