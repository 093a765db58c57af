import type { Province } from '#contract/provinces.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import type { SendLimitName, SendLimits } from './send-limits.ts'

/** One message to send, sealed already; its id is chosen by the server because the seal is bound to it. */
export type PendingMessage = {
  id: string
  senderId: string
  /** The key the sender is counted under. */
  counter: string
  plateKey: string
  province: Province | null
  contentSealed: Buffer
  reason: string | null
  attachmentId: string | null
  idempotencyKey: string | null
  /** Null exactly when there is no key. */
  requestHash: Buffer | null
}

type RefusedOutcome =
  | 'idempotency_mismatch'
  | 'plate_not_registered'
  | 'own_vehicle'
  | 'vehicle_not_active'
  | 'attachment_unknown'

/**
 * What became of one message. `ownerId` is for waking the owner's streams and never leaves the server. `later`: it
 * depends on what becomes of others of its batch; the first of a batch never does.
 */
export type SendOutcome =
  | { outcome: 'sent'; id: string; plate: string; inserted_at: string; ownerId: string }
  | { outcome: 'replayed'; id: string; plate: string; inserted_at: string }
  | { outcome: 'province_needed'; provinces: Province[] }
  | { outcome: 'over_limit'; limit: SendLimitName; vehicleId: string | null }
  | { outcome: RefusedOutcome }
  | { outcome: 'later' }

type Row = {
  outcome: Exclude<SendOutcome['outcome'], 'over_limit'> | SendLimitName
  id: string
  plate: string
  inserted_at: string
  owner_id: string
  vehicle_id: string | null
  provinces: Province[]
}

/**
 * Decides and stores a batch of messages in one statement, and so in one transaction and one commit (decision 0020):
 * resolves each plate, checks the rules and limits, and writes message, notification, mail and counts. What it judges by is
 * read by `send_facts` (0024_send_facts.sql), which first waits for other sends of the same people and to the same plates.
 *
 * A live vehicle (active, verified) wins over others of its plate; live in several provinces asks for the province. The
 * own vehicle is told before 'not active' (requirements §8's order). The sender's limits come before anything about the plate.
 *
 * @returns one answer for each item, in their order
 */
export async function sendBatch(db: Db, items: PendingMessage[], limits: SendLimits): Promise<SendOutcome[]> {
  const positions = batchPositions(items)
  const rows = await db<Row[]>`
    with input as (
      select * from unnest(
        ${items.map((i) => i.id)}::uuid[],
        ${items.map((i) => i.senderId)}::uuid[],
        ${items.map((i) => i.counter)}::text[],
        ${db.array(
          items.map((i) => i.contentSealed),
          BYTEA,
        )}::bytea[],
        ${items.map((i) => i.reason)}::text[],
        ${items.map((i) => i.attachmentId)}::uuid[],
        ${items.map((i) => i.idempotencyKey)}::text[],
        ${db.array(
          items.map((i) => i.requestHash),
          BYTEA,
        )}::bytea[],
        ${positions.map((t) => t.repeats)}::int[],
        ${positions.map((t) => t.ofSender)}::int[],
        ${positions.map((t) => t.ofPair)}::int[],
        ${positions.map((t) => t.ofPlate)}::int[],
        ${items.map(() => newId())}::uuid[],
        ${items.map(() => newId())}::uuid[]
      ) with ordinality as i (id, sender_id, counter, content_sealed, reason, attachment_id, key, request_hash, repeats,
        of_sender, of_pair, of_plate, notification_id, outbox_id, ord)
    ), judged as materialized (
      select i.*, f.vehicle_id, f.owner_id, f.plate, f.live_in, f.earlier_id, f.earlier_at, f.earlier_plate,
        case
          when i.repeats > 0 then 'later'
          when f.earlier_hash = i.request_hash then 'replayed'
          when f.earlier_id is not null then 'idempotency_mismatch'
          when f.sent_hour >= most.hour or f.sent_day >= most.day then 'messages'
          when f.missed_hour >= ${limits.missesHour}::int or f.missed_day >= ${limits.missesDay}::int then 'misses'
          -- the others of this sender in the batch may fill a limit, or be refused and leave its last place to this one
          when f.sent_hour + i.of_sender >= most.hour or f.sent_day + i.of_sender >= most.day
            or f.missed_hour + i.of_sender >= ${limits.missesHour}::int
            or f.missed_day + i.of_sender >= ${limits.missesDay}::int then 'later'
          when f.known = 0 then 'plate_not_registered'
          when f.live > 1 then 'province_needed'
          when f.owner_id = i.sender_id or (f.live = 0 and f.all_own) then 'own_vehicle'
          when f.live = 0 then 'vehicle_not_active'
          when f.pair_day >= ${limits.pairDay}::int or f.pair_month >= ${limits.pairMonth}::int then 'unanswered'
          when f.vehicle_hour >= ${limits.vehicleHour}::int then 'inbound'
          when f.pair_day + i.of_pair >= ${limits.pairDay}::int or f.pair_month + i.of_pair >= ${limits.pairMonth}::int
            or f.vehicle_hour + i.of_plate >= ${limits.vehicleHour}::int then 'later'
          when i.attachment_id is not null and not exists (
            select from attachments a
            where a.id = i.attachment_id and a.uploader_id = i.sender_id
              and not exists (select from messages m where m.attachment_id = a.id)
          ) then 'attachment_unknown'
          else 'sent'
        end as outcome
      from send_facts(
        ${items.map((i) => i.senderId)}::uuid[],
        ${items.map((i) => i.counter)}::text[],
        ${items.map((i) => i.plateKey)}::text[],
        ${items.map((i) => i.province)}::text[],
        ${items.map((i) => i.idempotencyKey)}::text[],
        make_interval(secs => ${limits.sliceS}), ${limits.pairDay}, ${limits.pairMonth}, ${limits.vehicleHour}
      ) f
      join input i on i.ord = f.ord
      cross join lateral (
        select case when f.first_day then ${limits.firstHour}::int else ${limits.hour}::int end as hour,
          case when f.first_day then ${limits.firstDay}::int else ${limits.day}::int end as day
      ) most
    ), tried as (
      -- what reached nobody told the sender something about a plate all the same; the own vehicle tells nothing
      insert into rate_counters (key, window_start, count)
      select case when outcome = 'sent' then counter else counter || ':miss' end as key,
        date_bin(make_interval(secs => ${limits.sliceS}), now(), 'epoch'), count(*)
      from judged
      where outcome in ('sent', 'plate_not_registered', 'vehicle_not_active', 'province_needed', 'attachment_unknown')
      group by 1
      order by 1
      on conflict (key, window_start) do update set count = rate_counters.count + excluded.count
    ), message as (
      insert into messages (id, vehicle_id, sender_id, content_sealed, reason, attachment_id, idempotency_key, request_hash)
      select id, vehicle_id, sender_id, content_sealed, reason, attachment_id, key, request_hash
      from judged
      where outcome = 'sent'
      order by ord
      returning id, inserted_at
    ), counted as (
      -- locked in the order of the owners' ids, as in notifications/notify.ts
      insert into notification_counters (user_id, last_number)
      select owner_id, count(*) from judged where outcome = 'sent' group by owner_id order by owner_id
      on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number
      returning user_id, last_number
    ), notification as (
      insert into notifications (id, user_id, number, type, data, message_id)
      select j.notification_id, j.owner_id,
        c.last_number + 1 - row_number() over (partition by j.owner_id order by j.ord desc),
        'message_received', jsonb_build_object('plate', j.plate, 'message_id', j.id, 'vehicle_id', j.vehicle_id), j.id
      from judged j
      join counted c on c.user_id = j.owner_id
      where j.outcome = 'sent'
    ), mail as (
      insert into outbox (id, kind, ref_id, recipient_id)
      select j.outbox_id, 'message', j.id, j.owner_id
      -- also for an owner who wants no mails: the worker finds that out, so that the sender cannot
      from judged j
      where j.outcome = 'sent'
    )
    select j.outcome, coalesce(j.earlier_id, j.id) as id, coalesce(j.earlier_plate, j.plate) as plate,
      coalesce(j.earlier_at, m.inserted_at) as inserted_at, j.owner_id, j.vehicle_id, j.live_in as provinces
    from judged j
    left join message m on m.id = j.id
    order by j.ord`
  return rows.map(toSendOutcome)
}

/** Object id of the type bytea: the driver cannot tell from an array of buffers that it is one. */
const BYTEA = 17

/**
 * How many stand before each message in its batch: that it may be a repetition of, of its sender, of its sender and plate,
 * of its plate.
 */
function batchPositions(items: PendingMessage[]) {
  const before = new Map<string, number>()
  const nextPosition = (...what: string[]) => {
    const key = JSON.stringify(what)
    const count = before.get(key) ?? 0
    before.set(key, count + 1)
    return count
  }
  return items.map(({ senderId, plateKey, idempotencyKey, attachmentId }) => {
    const ofKey = idempotencyKey === null ? 0 : nextPosition('key', senderId, idempotencyKey)
    const ofImage = attachmentId === null ? 0 : nextPosition('image', attachmentId)
    return {
      repeats: ofKey + ofImage,
      ofSender: nextPosition('sender', senderId),
      ofPair: nextPosition('pair', senderId, plateKey),
      ofPlate: nextPosition('plate', plateKey),
    }
  })
}

function toSendOutcome({ outcome, id, plate, inserted_at, owner_id, vehicle_id, provinces }: Row): SendOutcome {
  switch (outcome) {
    case 'sent':
      return { outcome, id, plate, inserted_at, ownerId: owner_id }
    case 'replayed':
      return { outcome, id, plate, inserted_at }
    case 'province_needed':
      return { outcome, provinces }
    case 'messages':
    case 'misses':
    case 'unanswered':
    case 'inbound':
      return { outcome: 'over_limit', limit: outcome, vehicleId: vehicle_id }
    default:
      return { outcome }
  }
}
