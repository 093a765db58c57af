import type { Dashboard } from '#contract/dashboard.ts'
import { TIME_ZONE } from '#contract/product.ts'
import type { Db } from '../db/pool.ts'

type Counts = {
  vehicles: number
  vehicles_this_month: number
  messages: number
  messages_this_month: number
  unread: number
}

/**
 * Returns the numbers of the dashboard (requirements §2, §4): of vehicles and of the messages they received. Months
 * begin at midnight in Toronto, like the due dates of disputes.
 */
export const getDashboardCounts = async (db: Db, userId: string): Promise<Pick<Dashboard, 'vehicles' | 'messages'>> => {
  const [row] = await db<Counts[]>`
    with mine as (
      select id, status, created_at from vehicles where user_id = ${userId}
    ), month as (
      select date_trunc('month', now() at time zone ${TIME_ZONE}::text) at time zone ${TIME_ZONE}::text as start
    ), owned as (
      select
        count(*) filter (where is_live(status)) as total,
        count(*) filter (where status in ('active', 'verified', 'approved') and created_at >= month.start) as this_month
      from mine, month
    ), received as (
      select
        count(*) as total,
        count(*) filter (where m.inserted_at >= month.start) as this_month,
        count(*) filter (where not m.is_read) as unread
      from (
        select m.inserted_at, m.is_read from mine join messages m on m.vehicle_id = mine.id
        union all
        select m.inserted_at, d.is_read
        from vehicle_drivers p
        join driver_messages d on d.driver_id = p.id
        join messages m on m.id = d.message_id
        where p.user_id = ${userId}
      ) m, month
    )
    select
      owned.total::int as vehicles, owned.this_month::int as vehicles_this_month,
      received.total::int as messages, received.this_month::int as messages_this_month, received.unread::int as unread
    from owned, received`
  const counts = row! // aggregates without groups have one row
  return {
    vehicles: { total: counts.vehicles, this_month: counts.vehicles_this_month },
    messages: { total: counts.messages, this_month: counts.messages_this_month, unread: counts.unread },
  }
}
