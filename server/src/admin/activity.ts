import type { AdminActivity } from '#contract/admin.ts'
import { newIdAt } from '../db/ids.ts'
import { MIN_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { DAY_MS } from '../time.ts'

const ACTIVITY_WEEKS = 12
const WEEK_MS = 7 * DAY_MS
/** The 1st of January 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

type Counts = { registrations: number; messages: number; reports: number }

/** Returns when the week of a moment began: its Monday, by UTC. */
const startOfWeek = (moment: number): number => moment - ((((moment - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS)

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns what sorts before every id of that moment and later (RFC 9562 §5.7: an id begins with its time). */
const lowestIdAt = (ms: number): string => newIdAt(new Date(ms)).slice(0, 13) + MIN_UUID.slice(13)

/** Counts what happened in a week, by the ids, which are indexed and begin with the time. */
async function countWeek(db: Db, startMs: number): Promise<Counts> {
  const [from, until] = [lowestIdAt(startMs), lowestIdAt(startMs + WEEK_MS)]
  const [row] = await db<Counts[]>`
    select
      (select count(*)::int from vehicles where id >= ${from} and id < ${until}) as registrations,
      (select count(*)::int from messages where id >= ${from} and id < ${until}) as messages,
      (select count(*)::int from reports where id >= ${from} and id < ${until}) as reports`
  return row!
}

/**
 * Counts the weeks that are over and were not counted, up to those the dashboard shows. What is deleted later stays counted.
 * Several processes may do so at the same time.
 */
export async function countFinishedWeeks(db: Db): Promise<void> {
  const current = startOfWeek(Date.now())
  const counted = new Set(
    (await listCountedWeeks(db, toDay(current - ACTIVITY_WEEKS * WEEK_MS))).map((w) => w.starts_on),
  )
  for (let back = 1; back < ACTIVITY_WEEKS; back++) {
    const start = current - back * WEEK_MS
    if (!counted.has(toDay(start))) await saveWeek(db, toDay(start), await countWeek(db, start))
  }
}

/** Returns what happened in the last twelve weeks, the current one last; null for a week that was not counted yet. */
export async function getActivity(db: Db): Promise<AdminActivity> {
  const current = startOfWeek(Date.now())
  const first = current - (ACTIVITY_WEEKS - 1) * WEEK_MS
  const counted = new Map((await listCountedWeeks(db, toDay(first))).map((week) => [week.starts_on, week]))
  const weeks = Array.from({ length: ACTIVITY_WEEKS - 1 }, (_, i) => {
    const starts_on = toDay(first + i * WEEK_MS)
    return counted.get(starts_on) ?? { starts_on, registrations: null, messages: null, reports: null }
  })
  return { weeks: [...weeks, { starts_on: toDay(current), ...(await countWeek(db, current)) }] }
}

const listCountedWeeks = (db: Db, from: string) =>
  db<(Counts & { starts_on: string })[]>`
    select to_char(starts_on, 'YYYY-MM-DD') as starts_on, registrations, messages, reports
    from weekly_counts where starts_on >= ${from}::date order by starts_on`

const saveWeek = async (db: Db, startsOn: string, { registrations, messages, reports }: Counts): Promise<void> => {
  await db`
    insert into weekly_counts (starts_on, registrations, messages, reports)
    values (${startsOn}::date, ${registrations}, ${messages}, ${reports})
    on conflict (starts_on) do nothing`
}
