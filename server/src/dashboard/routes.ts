import type { FastifyInstance } from 'fastify'
import { type Dashboard, getDashboard, WAITING_MS } from '#contract/dashboard.ts'
import { PAGE_LIMIT_DEFAULT } from '#contract/endpoint.ts'
import { TIME_ZONE } from '#contract/product.ts'
import { DAY_MS } from '#contract/time.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { userRoute } from '../http/route.ts'
import { latestReceivedMessages, toReceivedMessage, toSentMessage } from '../messages/list-messages.ts'
import { findReceived, listSent, type SentRow } from '../messages/queries.ts'
import { listDisputedVehicles, listVehicles } from '../vehicles/list-vehicles.ts'

/** How many of the latest messages and vehicles are shown (requirements §9). */
const RECENT_ITEMS = 3

export function dashboardRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, getDashboard, (_, { id }, { request }) =>
    loadDashboard(context, decryptContextFor(context, request), id),
  )
}

/** Loads everything the owner's first screen shows. */
async function loadDashboard(
  { db }: Pick<AppContext, 'db'>,
  decryptContext: DecryptContext,
  userId: string,
): Promise<Dashboard> {
  const [{ newest_waiting, ...counts }, messages, vehicles, disputed] = await db.pipeline((tx) =>
    Promise.all([
      getDashboardCounts(tx, userId),
      latestReceivedMessages(tx, decryptContext, userId, RECENT_ITEMS),
      listVehicles(tx, decryptContext.keyring, userId, { limit: RECENT_ITEMS }),
      listDisputedVehicles(tx, decryptContext.keyring, userId),
    ]),
  )
  // it is among the latest, unless those have been answered
  let waiting = messages.find(({ id }) => id === newest_waiting) ?? null
  if (waiting === null && newest_waiting !== null) {
    const row = await findReceived(db, newest_waiting, userId)
    waiting = row && toReceivedMessage(decryptContext, row)
  }
  const onlySends = vehicles.items.length === 0 && counts.messages.total === 0
  const sent = onlySends ? await listSent(db, userId, null, PAGE_LIMIT_DEFAULT) : []
  const changedAt = ({ replied_at, inserted_at }: SentRow) => replied_at ?? inserted_at
  const [latest] = sent
    .filter((one) => !one.is_note && (one.replied_at ?? Date.parse(one.inserted_at) > Date.now() - DAY_MS))
    .sort((a, b) => changedAt(b).localeCompare(changedAt(a)))
  return {
    ...counts,
    waiting,
    sent: latest ? toSentMessage(decryptContext, latest) : null,
    recent_messages: messages,
    recent_vehicles: vehicles.items,
    disputed_vehicles: disputed,
  }
}

type Counts = {
  vehicles: number
  vehicles_this_month: number
  messages: number
  messages_this_month: number
  unread: number
  newest_waiting: string | null
  email_unreachable: boolean
}

/**
 * Returns the numbers of the dashboard (requirements §2, §4): of vehicles and of the messages they received, and the
 * newest message that waits for an answer. Months begin at midnight in Toronto, like the due dates of disputes.
 */
const getDashboardCounts = async (db: Db, userId: string) => {
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
        count(*) filter (where not m.is_read) as unread,
        max(m.id::text) filter (where waits) as newest_waiting
      from (
        select m.id, m.inserted_at, m.is_read, m.replied_at, m.reply_removed
        from mine join messages m on m.vehicle_id = mine.id
        union all
        select m.id, m.inserted_at, d.is_read, m.replied_at, m.reply_removed
        from vehicle_drivers p
        join driver_messages d on d.driver_id = p.id
        join messages m on m.id = d.message_id
        where p.user_id = ${userId}
      ) m, month, lateral (
        select m.replied_at is null and not m.reply_removed
          and m.inserted_at > now() - ${WAITING_MS} * interval '1 millisecond' as waits
      ) w
    )
    select
      owned.total::int as vehicles, owned.this_month::int as vehicles_this_month,
      received.total::int as messages, received.this_month::int as messages_this_month, received.unread::int as unread,
      received.newest_waiting,
      exists (select from unreachable_addresses where user_id = ${userId}) as email_unreachable
    from owned, received`
  const counts = row! // aggregates without groups have one row
  return {
    vehicles: { total: counts.vehicles, this_month: counts.vehicles_this_month },
    messages: { total: counts.messages, this_month: counts.messages_this_month, unread: counts.unread },
    newest_waiting: counts.newest_waiting,
    email_unreachable: counts.email_unreachable,
  }
}
