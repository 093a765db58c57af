import type { Db } from '../db/pool.ts'
import { NETWORK_SLICE_S, type SenderCounts, type SendLimits } from './send-limits.ts'

/**
 * Counts a note as a sent message, under the limits of its sender on sending (decision windshield-note). What a plate did or did not
 * answer plays no part, because nothing is looked up by the plate: `facts_for_sends` gets none. Returns false over a limit.
 */
export async function countNote(db: Db, sender: SenderCounts, limits: SendLimits): Promise<boolean> {
  const { senderId, counter, networks } = sender
  const [row] = await db<{ is_allowed: boolean }[]>`
    with decided as materialized (
      select f.first_day, f.sent_hour < sender_max.hour and f.sent_day < sender_max.day and not exists (
        select from unnest(f.network_first_day, ${networks.factors}::bigint[]) n (count, factor)
        where n.count >= ${limits.networkFirstDay}::bigint * n.factor) as is_allowed
      from facts_for_sends(${db.json([{ ord: 1, sender_id: senderId, counter, first_day_keys: networks.firstDayKeys }])},
        make_interval(secs => ${limits.sliceS}), make_interval(secs => ${NETWORK_SLICE_S}), ${limits.ownSends}, ${limits.ownMisses}) f
      cross join lateral (
        -- null: no sanction limits the sender
        select least(${limits.hour}::int, sanction.most) as hour, least(${limits.day}::int, sanction.most) as day
        from (select case when f.is_limited then ${limits.sanctionedDay}::int end as most) sanction
      ) sender_max
    ), counted as (
      insert into rate_counters (key, window_start, count, expires_at)
      select key, date_bin(make_interval(secs => slice_s), now(), 'epoch'), 1, now() + read_for
      from (
        select ${counter}::text as key, ${limits.sliceS}::float8 as slice_s, interval '1 day 1 minute' as read_for
        from decided where is_allowed
        union all
        select unnest(${networks.firstDayKeys}::text[]), ${NETWORK_SLICE_S}::float8, interval '1 day 1 hour'
        from decided where is_allowed and first_day
      ) counts
      order by key
      on conflict (key, window_start) do update set count = rate_counters.count + excluded.count
    )
    select is_allowed from decided`
  return row!.is_allowed // one sender has one row
}
