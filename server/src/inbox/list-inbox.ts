import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import {
  type InboxCounts,
  type InboxItem,
  InboxKind,
  type InboxState,
  ReportAction,
  type ReportItem,
} from '#contract/inbox.ts'
import { findLatestEntriesAbout } from '../audit/queries.ts'
import { MAX_UUID, MIN_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db, Pool } from '../db/pool.ts'
import type { Actor } from '../http/actor.ts'
import { type CaseRow, findCases } from '../reports/case-queries.ts'
import { toAppeal } from '../sanctions/decide-appeal.ts'
import { findAppeals } from '../sanctions/queries.ts'

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

/** Where an item stands in the inbox. `due_us` is in microseconds of Unix time: a date would be less exact. */
type Place = { kind: InboxKind; id: string; is_raised: boolean; due_us: string }
type OpenPosition = Pick<Place, 'id' | 'is_raised' | 'due_us'>

/**
 * Every open item. A dispute is due when its documents are, and once they arrived since then; nothing is promised about reports and
 * appeals, which are due since they came. It has no index of its own: whoever decides keeps it short, and a page of it is read by one person at a time.
 */
const openItems = (db: Db) => db`
  select 'dispute' as kind, id, false as is_raised, coalesce(documents_received_at, documents_due_at) as due_at from plate_disputes
  union all
  select 'report', id, is_raised, created_at from report_cases where state = 'open'
  union all
  select 'appeal', id, false, created_at from appeals where decided_at is null`

/** Lists open items after a position: raised ones first, then the earliest due. */
const listOpenPlaces = (db: Db, kinds: InboxKind[], after: OpenPosition, limit: number) =>
  db<Place[]>`
    select kind, id, is_raised, (extract(epoch from due_at) * 1000000)::bigint::text as due_us
    from (${openItems(db)}) open
    where kind = any(${kinds}) and (not is_raised, due_at, id) >
      (${!after.is_raised}::boolean, 'epoch'::timestamptz + ${after.due_us}::bigint * interval '1 microsecond', ${after.id}::uuid)
    order by not is_raised, due_at, id
    limit ${limit}`

/** Lists closed items before an id, the latest first. */
const listClosedPlaces = (db: Db, kinds: InboxKind[], before: string, limit: number) =>
  db<Place[]>`
    select kind, id, false as is_raised, '' as due_us from (
      (select 'report' as kind, id, created_at from report_cases
        where state = 'closed' and id < ${before} and 'report' = any(${kinds}) order by id desc limit ${limit})
      union all
      (select 'appeal', id, created_at from appeals
        where decided_at is not null and id < ${before} and 'appeal' = any(${kinds}) order by id desc limit ${limit})
    ) closed
    order by id desc
    limit ${limit}`

const listDisputes = (db: Db, ids: string[]) =>
  db<Omit<Extract<InboxItem, { kind: 'dispute' }>, 'kind' | 'is_raised'>[]>`
    select id, created_at, plate, province, documents_due_at, documents_received_at
    from plate_disputes where id = any(${ids}::uuid[])`

const FIRST: OpenPosition = { is_raised: true, due_us: '0', id: MIN_UUID }

const OpenPosition = z.pipe(
  z.string().check(z.regex(/^[01] \d{1,16} [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)),
  z.transform((text): OpenPosition => {
    const [raised, due_us, id] = text.split(' ') as [string, string, string]
    return { is_raised: raised === '1', due_us, id }
  }),
)

/** Lists the items of the inbox without any text: the open ones, or the closed ones, of one kind or of all. */
export async function listInbox(
  db: Pool,
  actor: Actor,
  { state, kind, ...paging }: PageParams & { state: InboxState; kind?: InboxKind | undefined },
) {
  const limit = pageLimit(paging)
  const kinds = kind ? [kind] : InboxKind.options
  // places and what stands there are several statements, which must see the database at the same moment
  return db.begin('isolation level repeatable read read only', async (tx) => {
    const places =
      state === 'open'
        ? await listOpenPlaces(tx, kinds, parseCursor(OpenPosition, paging) ?? FIRST, limit + 1)
        : await listClosedPlaces(tx, kinds, parseCursor(z.uuid(), paging) ?? MAX_UUID, limit + 1)
    const toPosition = ({ id, is_raised, due_us }: Place) =>
      state === 'open' ? `${is_raised ? 1 : 0} ${due_us} ${id}` : id
    const { items, next } = toPage(places, limit, toPosition, (place) => place)
    return { items: await readItems(tx, actor, items), next }
  })
}

async function readItems(db: Db, actor: Actor, places: Place[]): Promise<InboxItem[]> {
  const idsOf = (kind: InboxKind) => places.filter((place) => place.kind === kind).map(({ id }) => id)
  const disputes = await listDisputes(db, idsOf('dispute'))
  const reports = await withDecisions(db, await findCases(db, idsOf('report')))
  const appeals = await findAppeals(db, idsOf('appeal'))
  const facts = new Map(
    [
      ...disputes.map((item) => ({ ...item, kind: 'dispute' as const })),
      ...reports.map((item) => ({ ...item, kind: 'report' as const })),
      ...appeals.map((row) => ({ ...toAppeal(actor, row), kind: 'appeal' as const })),
    ].map((item) => [item.id, item]),
  )
  // every place has its item: they were read at the same moment
  return places.map(({ id, is_raised }) => ({ ...facts.get(id)!, is_raised }))
}

/** Counts what waits for a decision. */
export async function countInbox(db: Db): Promise<InboxCounts> {
  const [counts] = await db<InboxCounts[]>`
    select (select count(*)::int from plate_disputes) as disputes,
      (select count(*)::int from report_cases where state = 'open') as reports,
      (select count(*)::int from appeals where decided_at is null) as appeals`
  return counts! // counts are always there
}
