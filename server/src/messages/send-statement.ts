import type { Province } from '#contract/provinces.ts'
import { newId } from '../db/ids.ts'
import { BYTEA_OID, type Db } from '../db/pool.ts'
import type { SendLimitName, SendLimits } from './send-limits.ts'

/** A message to send, already encrypted; the server chooses its id because the encryption is bound to it. */
export type PendingMessage = {
  id: string
  senderId: string
  /** The key of the sender's rate counter. */
  counter: string
  plateKey: string
  province: Province | null
  encryptedContent: Buffer
  reason: string | null
  attachmentId: string | null
  idempotencyKey: string | null
  /** Null if and only if there is no key. */
  requestHash: Buffer | null
}

type RefusedOutcome =
  | 'idempotency_mismatch'
  | 'plate_not_registered'
  | 'own_vehicle'
  | 'vehicle_not_active'
  | 'attachment_unknown'

/**
 * The outcome of one message. `ownerId` is for waking the owner's streams and never leaves the server. With `later`,
 * the outcome depends on other messages of the batch; that of the first one never does.
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
 * resolves each plate, checks the rules and limits, and writes message, notification, email and counts. Everything the
 * decision depends on is read by the SQL function `send_facts`, which first waits for other sends of the same users and
 * to the same plates.
 *
 * A live vehicle (active, verified) wins over others of its plate; a plate that is live in several provinces needs the
 * province. `own_vehicle` comes before `vehicle_not_active` (the order of requirements §8), and the sender's limits
 * come before anything about the plate.
 *
 * @returns the outcome of each item, in their order
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
          items.map((i) => i.encryptedContent),
          BYTEA_OID,
        )}::bytea[],
        ${items.map((i) => i.reason)}::text[],
        ${items.map((i) => i.attachmentId)}::uuid[],
        ${items.map((i) => i.idempotencyKey)}::text[],
        ${db.array(
          items.map((i) => i.requestHash),
          BYTEA_OID,
        )}::bytea[],
        ${positions.map((p) => p.repeats)}::int[],
        ${positions.map((p) => p.ofSender)}::int[],
        ${positions.map((p) => p.ofPair)}::int[],
        ${positions.map((p) => p.ofPlate)}::int[],
        ${items.map(() => newId())}::uuid[],
        ${items.map(() => newId())}::uuid[]
      ) with ordinality as i (id, sender_id, counter, content_encrypted, reason, attachment_id, key, request_hash, repeats,
        of_sender, of_pair, of_plate, notification_id, outbox_id, ord)
    ), decided as materialized (
      select i.*, f.vehicle_id, f.owner_id, f.plate, f.live_in, f.earlier_id, f.earlier_at, f.earlier_plate,
        case
          when i.repeats > 0 then 'later'
          when f.earlier_hash = i.request_hash then 'replayed'
          when f.earlier_id is not null then 'idempotency_mismatch'
          when f.sent_hour >= sender_max.hour or f.sent_day >= sender_max.day then 'messages'
          when f.missed_hour >= ${limits.missesHour}::int or f.missed_day >= ${limits.missesDay}::int then 'misses'
          -- the sender's other messages in the batch may use up a limit, or be refused and leave it to this one
          when f.sent_hour + i.of_sender >= sender_max.hour or f.sent_day + i.of_sender >= sender_max.day
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
      ) sender_max
    ), counted_tries as (
      -- a send that reached nobody still told the sender something about a plate; one's own vehicle tells nothing
      insert into rate_counters (key, window_start, count)
      select case when outcome = 'sent' then counter else counter || ':miss' end as key,
        date_bin(make_interval(secs => ${limits.sliceS}), now(), 'epoch'), count(*)
      from decided
      where outcome in ('sent', 'plate_not_registered', 'vehicle_not_active', 'province_needed', 'attachment_unknown')
      group by 1
      order by 1
      on conflict (key, window_start) do update set count = rate_counters.count + excluded.count
    ), message as (
      insert into messages (id, vehicle_id, sender_id, content_encrypted, reason, attachment_id, idempotency_key, request_hash)
      select id, vehicle_id, sender_id, content_encrypted, reason, attachment_id, key, request_hash
      from decided
      where outcome = 'sent'
      order by ord
      returning id, inserted_at
    ), counted as (
      -- locked in the order of the owners' ids, as in notifications/notify.ts
      insert into notification_counters (user_id, last_number)
      select owner_id, count(*) from decided where outcome = 'sent' group by owner_id order by owner_id
      on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number
      returning user_id, last_number
    ), notification as (
      insert into notifications (id, user_id, number, type, data, message_id)
      select d.notification_id, d.owner_id,
        c.last_number + 1 - row_number() over (partition by d.owner_id order by d.ord desc),
        'message_received', jsonb_build_object('plate', d.plate, 'message_id', d.id, 'vehicle_id', d.vehicle_id), d.id
      from decided d
      join counted c on c.user_id = d.owner_id
      where d.outcome = 'sent'
    ), mail as (
      insert into outbox (id, kind, ref_id, recipient_id)
      select d.outbox_id, 'message', d.id, d.owner_id
      -- even for an owner who wants no emails: only the worker checks that, so that the sender cannot tell
      from decided d
      where d.outcome = 'sent'
    )
    select d.outcome, coalesce(d.earlier_id, d.id) as id, coalesce(d.earlier_plate, d.plate) as plate,
      coalesce(d.earlier_at, m.inserted_at) as inserted_at, d.owner_id, d.vehicle_id, d.live_in as provinces
    from decided d
    left join message m on m.id = d.id
    order by d.ord`
  return rows.map(toSendOutcome)
}

/**
 * Counts, for each message, those before it in its batch: possible repetitions, of its sender, of its pair, of its
 * plate.
 */
function batchPositions(items: PendingMessage[]) {
  const before = new Map<string, number>()
  const nextPosition = (...group: string[]) => {
    const key = JSON.stringify(group)
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
