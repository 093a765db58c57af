import { foldPlate } from '#contract/plates.ts'
import type { Province } from '#contract/provinces.ts'
import type { NewCard } from '../collisions/queries.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type IdentifiedSender, NETWORK_SLICE_S, type SendLimitName, type SendLimits } from './send-limits.ts'

/**
 * A message to send, already encrypted for a vehicle; the server chooses its id because the encryption is bound to it.
 */
export type PendingMessage = Omit<IdentifiedSender, 'person'> & {
  id: string
  /** The plate as the sender typed it (a display plate), and the key it is matched by. */
  plate: string
  plateKey: string
  province: Province | null
  /** The vehicle the plate belonged to when the message was encrypted, and the content for it; null: there was none. */
  vehicleId: string | null
  encryptedContent: Buffer | null
  /** The person who sends it, encrypted for the message as its content is. */
  encryptedPerson: Buffer | null
  reason: string | null
  attachmentId: string | null
  /** Whether it is about a collision. */
  hasCollision: boolean
  /** The card of particulars that comes with it. */
  card?: NewCard | null
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
 * The outcome of one message. `notifiedIds` is for waking the streams of the people of the vehicle, and never leaves the server;
 * it is empty for a message that was stored for its sender alone (decision mutual-anonymity).
 * With `later`, the outcome depends on other messages of the batch, or the message has to be encrypted again.
 */
export type SendOutcome =
  | { outcome: 'sent'; id: string; plate: string; inserted_at: string; notifiedIds: string[] }
  | { outcome: 'replayed'; id: string; plate: string; inserted_at: string }
  | { outcome: 'province_needed'; provinces: Province[] }
  | { outcome: 'over_limit'; limit: SendLimitName; vehicleId: string | null }
  | { outcome: RefusedOutcome }
  | { outcome: 'later' }

type Row = {
  outcome: Exclude<SendOutcome['outcome'], 'over_limit'> | SendLimitName | 'withheld'
  id: string
  plate: string
  inserted_at: string
  recipient_ids: string[]
  vehicle_id: string | null
  provinces: Province[]
}

/**
 * Decides and stores a batch of messages in one statement, and so in one transaction and one commit (decision send-statement):
 * resolves each plate, checks the rules and limits, and writes the message, a notification and an email for everybody of the
 * vehicle, and the counts. Everything the decision depends on is read by the SQL function `facts_for_sends`, which first waits for other sends of the same people.
 *
 * Where nobody has a plate, the only one that reads the same is meant (`look_alike`), and nothing says so to the sender.
 *
 * A live vehicle (active, verified) wins over others of its plate; a plate that is live in several provinces needs the
 * province. One that its owner has paused is not live here (decision quiet-hours). `own_vehicle`, also of one that the sender drives, comes
 * before `vehicle_not_active` (the order of requirements §8). The sender's limits and the sender's image are judged before anything about
 * the plate, and so reveal nothing about it. A message of a person whom one of the people of the vehicle has blocked is withheld: stored and counted as sent, and
 * delivered to nobody (decisions mutual-anonymity and blocking-people). That is found out last, when nothing would refuse the message.
 *
 * @returns the outcome of each item, in their order
 */
export async function sendBatch(db: Db, items: PendingMessage[], limits: SendLimits): Promise<SendOutcome[]> {
  const rows = await db<Row[]>`
    with sends as (
      select ${db.json(toInput(items))} as list
    ), input as (
      select i.* from sends, jsonb_to_recordset(sends.list) as i (
        ord bigint, id uuid, sender_id uuid, counter text, plate text, encrypted_for uuid, block_secret bytea, content bytea,
        sender_person bytea, reason text, attachment_id uuid, has_collision boolean, card_id uuid, card_hash bytea,
        card_envelope bytea, card_box bytea, key text, request_hash bytea, first_day_keys text[], miss_keys text[],
        factors bigint[], repeats int, of_sender int, of_pair int, notification_id uuid, outbox_id uuid)
    ), decided as materialized (
      select i.*, f.first_day, f.pair_key, f.vehicle_id, f.owner_id, f.recipient_ids, f.driver_ids, f.plate as owners_plate, f.live_in, f.earlier_id, f.earlier_at, f.earlier_plate,
        case
          when f.earlier_hash = i.request_hash then 'replayed'
          when f.earlier_id is not null then 'idempotency_mismatch'
          when f.sent_hour >= sender_max.hour or f.sent_day >= sender_max.day then 'messages'
          when exists (
            select from unnest(f.network_first_day, i.factors) n (count, factor)
            where n.count >= ${limits.networkFirstDay}::bigint * n.factor) then 'messages'
          when f.missed_hour >= ${limits.missesHour}::int or f.missed_day >= ${limits.missesDay}::int then 'misses'
          when exists (
            select from unnest(f.network_missed, i.factors) n (count, factor)
            where n.count >= ${limits.networkMisses}::bigint * n.factor) then 'misses'
          when i.repeats > 0 then 'later'
          -- the sender's other messages in the batch may use up a limit, or be refused and leave it to this one
          when f.sent_hour + i.of_sender >= sender_max.hour or f.sent_day + i.of_sender >= sender_max.day
            or f.missed_hour + i.of_sender >= ${limits.missesHour}::int
            or f.missed_day + i.of_sender >= ${limits.missesDay}::int then 'later'
          when i.attachment_id is not null and not exists (
            select from attachments a
            where a.id = i.attachment_id and a.uploader_id = i.sender_id
              and not exists (select from messages m where m.attachment_id = a.id)
          ) then 'attachment_unknown'
          when f.known = 0 then 'plate_not_registered'
          when f.live > 1 then 'province_needed'
          when f.owner_id = i.sender_id or (f.live = 0 and f.all_own) or f.is_driver then 'own_vehicle'
          when f.live = 0 then 'vehicle_not_active'
          -- the plate has changed hands since the message was encrypted
          when i.encrypted_for is distinct from f.vehicle_id then 'later'
          when f.pair_day >= ${limits.pairDay}::int or f.pair_month >= ${limits.pairMonth}::int then 'unanswered'
          when f.pair_day + i.of_pair >= ${limits.pairDay}::int
            or f.pair_month + i.of_pair >= ${limits.pairMonth}::int then 'later'
          when exists (
            select from blocks b where b.blocked_hash in (
              blocked_hash(i.block_secret, f.owner_id, 'received'), blocked_hash(i.block_secret, f.vehicle_id, 'received'))
          ) then 'withheld'
          else 'sent'
        end as outcome
      from sends
      cross join facts_for_sends(sends.list, make_interval(secs => ${limits.sliceS}), make_interval(secs => ${NETWORK_SLICE_S}),
        ${limits.ownSends}, ${limits.ownMisses}) f
      join input i on i.ord = f.ord
      cross join lateral (
        -- null: no sanction limits the sender
        select least(${limits.hour}::int, sanction.most) as hour, least(${limits.day}::int, sanction.most) as day
        from (select case when f.is_limited then ${limits.sanctionedDay}::int end as most) sanction
      ) sender_max
    ), tries as (
      -- a send that reached nobody still told the sender something about a plate; one's own vehicle tells nothing
      select *, outcome in ('sent', 'withheld') as is_sent from decided
      where outcome in ('sent', 'withheld', 'plate_not_registered', 'vehicle_not_active', 'province_needed')
    ), counted_tries as (
      insert into rate_counters (key, window_start, count, expires_at)
      select key, date_bin(make_interval(secs => slice_s), now(), 'epoch'), count(*), now() + max(read_for)
      from (
        select case when is_sent then counter else counter || ':miss' end as key, ${limits.sliceS}::float8 as slice_s,
          interval '1 day 1 minute' as read_for
        from tries
        union all
        select pair_key, ${limits.sliceS}::float8, interval '30 days 1 minute' from tries where is_sent
        union all
        select unnest(miss_keys), ${NETWORK_SLICE_S}::float8, interval '1 day 1 hour' from tries where not is_sent
        union all
        select unnest(first_day_keys), ${NETWORK_SLICE_S}::float8, interval '1 day 1 hour' from tries where is_sent and first_day
      ) counts
      group by key, slice_s
      -- batches lock in one order and cannot deadlock
      order by key
      on conflict (key, window_start) do update set count = rate_counters.count + excluded.count
    ), message as (
      insert into messages (id, vehicle_id, addressed_to, sender_id, plate, content_encrypted,
        sender_person_encrypted, reason, attachment_id, idempotency_key, request_hash, has_collision)
      select id, case when outcome = 'sent' then vehicle_id end, vehicle_id, sender_id, plate, content, sender_person, reason,
        attachment_id, key, request_hash, has_collision
      from decided
      where outcome in ('sent', 'withheld')
      order by ord
      returning id, inserted_at
    ), card as (
      insert into collision_cards (id, message_hash, key_envelope, card_box)
      select card_id, card_hash, card_envelope, card_box from decided
      where outcome in ('sent', 'withheld') and card_id is not null
    ), image as (
      update attachments a set link_encrypted = null
      from decided d
      where d.outcome in ('sent', 'withheld') and a.id = d.attachment_id
    ), recipients as materialized (
      -- the ids of each person's rows are the owner's with another end: they keep the order of the messages
      select d.ord, d.id as message_id, d.vehicle_id, d.owners_plate, p.user_id, p.driver_id,
        overlay(d.notification_id::text placing place.hex from 34)::uuid as notification_id,
        overlay(d.outbox_id::text placing place.hex from 34)::uuid as outbox_id
      from decided d
      cross join lateral unnest(d.recipient_ids, d.driver_ids) with ordinality as p (user_id, driver_id, place)
      cross join lateral (select lpad(to_hex(p.place), 3, '0') as hex) place
      where d.outcome = 'sent'
    ), readable as (
      insert into driver_messages (driver_id, message_id)
      select driver_id, message_id from recipients where driver_id is not null
    ), counted as (
      -- locked in the order of the users' ids, as in notifications/notify.ts
      insert into notification_counters (user_id, last_number)
      select user_id, count(*) from recipients group by user_id
      order by user_id
      on conflict (user_id) do update set last_number = notification_counters.last_number + excluded.last_number
      returning user_id, last_number
    ), notification as (
      insert into notifications (id, user_id, number, type, data, message_id)
      select r.notification_id, r.user_id, c.last_number + 1 - row_number() over (partition by r.user_id order by r.ord desc),
        'message_received', jsonb_build_object('plate', r.owners_plate, 'message_id', r.message_id, 'vehicle_id', r.vehicle_id),
        r.message_id
      from recipients r
      join counted c on c.user_id = r.user_id
    ), mail as (
      -- even for somebody who wants no emails: only the worker checks that, so that the sender cannot tell
      insert into outbox (id, kind, ref_id, recipient_id)
      select outbox_id, 'message', message_id, user_id from recipients
    )
    select d.outcome, coalesce(d.earlier_id, d.id) as id, coalesce(d.earlier_plate, d.plate) as plate,
      coalesce(d.earlier_at, m.inserted_at) as inserted_at, d.recipient_ids, d.vehicle_id, d.live_in as provinces
    from decided d
    left join message m on m.id = d.id
    order by d.ord`
  return rows.map(toSendOutcome)
}

/** Writes bytes as PostgreSQL does. */
const toHex = (bytes: Buffer | null | undefined): string | null => (bytes ? `\\x${bytes.toString('hex')}` : null)

/** Converts a batch to what the statement reads of it, and of the messages before each. */
function toInput(items: PendingMessage[]) {
  const positions = batchPositions(items)
  return items.map(({ networks, card, ...item }, i) => ({
    ord: i + 1,
    id: item.id,
    sender_id: item.senderId,
    counter: item.counter,
    plate: item.plate,
    plate_key: item.plateKey,
    province: item.province,
    encrypted_for: item.vehicleId,
    pair_secret: toHex(item.pairSecret),
    block_secret: toHex(item.blockSecret),
    content: toHex(item.encryptedContent),
    sender_person: toHex(item.encryptedPerson),
    reason: item.reason,
    attachment_id: item.attachmentId,
    has_collision: item.hasCollision,
    card_id: card?.id,
    card_hash: toHex(card?.messageHash),
    card_envelope: toHex(card?.keyEnvelope),
    card_box: toHex(card?.box),
    key: item.idempotencyKey,
    request_hash: toHex(item.requestHash),
    first_day_keys: networks.firstDayKeys,
    miss_keys: networks.missKeys,
    factors: networks.factors,
    ...positions[i],
    notification_id: newId(),
    outbox_id: newId(),
  }))
}

/** Counts, for each message, those before it in its batch: possible repetitions, of its sender, of its pair. */
function batchPositions(items: PendingMessage[]) {
  const before = new Map<string, number>()
  const nextPosition = (...group: string[]) => {
    const key = JSON.stringify(group)
    const count = before.get(key) ?? 0
    before.set(key, count + 1)
    return count
  }
  return items.map(({ senderId, counter, plateKey, idempotencyKey, attachmentId }) => {
    const ofKey = idempotencyKey === null ? 0 : nextPosition('key', senderId, idempotencyKey)
    const ofImage = attachmentId === null ? 0 : nextPosition('image', senderId, attachmentId)
    return {
      repeats: ofKey + ofImage,
      of_sender: nextPosition('sender', counter),
      of_pair: nextPosition('pair', counter, foldPlate(plateKey)),
    }
  })
}

function toSendOutcome({ outcome, id, plate, inserted_at, recipient_ids, vehicle_id, provinces }: Row): SendOutcome {
  switch (outcome) {
    case 'sent':
      return { outcome, id, plate, inserted_at, notifiedIds: recipient_ids }
    case 'withheld':
      return { outcome: 'sent', id, plate, inserted_at, notifiedIds: [] }
    case 'replayed':
      return { outcome, id, plate, inserted_at }
    case 'province_needed':
      return { outcome, provinces }
    case 'messages':
    case 'misses':
    case 'unanswered':
      return { outcome: 'over_limit', limit: outcome, vehicleId: vehicle_id }
    default:
      return { outcome }
  }
}
