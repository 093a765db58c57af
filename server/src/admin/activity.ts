import type { AdminActivity } from '#contract/admin.ts'
import { newIdAt } from '../db/ids.ts'
import { MIN_UUID } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { DAY_MS } from '../time.ts'

const ACTIVITY_WEEKS = 12
const WEEK_MS = 7 * DAY_MS
/** The 1st of January 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Returns what sorts before every id of that moment and later (RFC 9562 §5.7: an id begins with its time). */
const lowestIdAt = (ms: number): string => newIdAt(new Date(ms)).slice(0, 13) + MIN_UUID.slice(13)

type Week = { startsOn: string; from: string; until: string }

/** Returns the last weeks, from Monday by UTC, the current one last, each with the ids between which everything of it is. */
function lastWeeks(): Week[] {
  const now = Date.now()
  const firstMs = now - ((now - FIRST_MONDAY_MS) % WEEK_MS) - (ACTIVITY_WEEKS - 1) * WEEK_MS
  return Array.from({ length: ACTIVITY_WEEKS }, (_, i) => {
    const ms = firstMs + i * WEEK_MS
    return { startsOn: new Date(ms).toISOString().slice(0, 10), from: lowestIdAt(ms), until: lowestIdAt(ms + WEEK_MS) }
  })
}

/** Counts what happened in a week, by the ids, which are indexed and begin with the time. */
const countsOf = (db: Db, { from, until }: Week) => db`
  (select count(*)::int from vehicles where id >= ${from} and id < ${until}) as registrations,
  (select count(*)::int from messages where id >= ${from} and id < ${until}) as messages,
  (select count(*)::int from reports where id >= ${from} and id < ${until}) as reports`

/**
 * Counts the weeks that are over and were not counted, up to those the dashboard shows. What is deleted later stays counted.
 * Several processes may do so at the same time.
 */
export async function countFinishedWeeks(db: Db): Promise<void> {
  for (const week of lastWeeks().slice(0, -1)) {
    await db`
      insert into weekly_counts (starts_on, registrations, messages, reports)
      select ${week.startsOn}::date, ${countsOf(db, week)}
      where not exists (select from weekly_counts where starts_on = ${week.startsOn}::date)
      on conflict (starts_on) do nothing`
  }
}

/** Returns what happened in the last twelve weeks, the current one last; null for a week that was not counted yet. */
export async function getActivity(db: Db): Promise<AdminActivity> {
  const weeks = lastWeeks()
  const finished = await db<AdminActivity['weeks']>`
    select to_char(w.day, 'YYYY-MM-DD') as starts_on, c.registrations, c.messages, c.reports
    from unnest(${weeks.slice(0, -1).map(({ startsOn }) => startsOn)}::date[]) as w (day)
    left join weekly_counts c on c.starts_on = w.day
    order by w.day`
  const [current] = await db<AdminActivity['weeks']>`
    select ${weeks.at(-1)!.startsOn} as starts_on, ${countsOf(db, weeks.at(-1)!)}`
  return { weeks: [...finished, current!] }
}
