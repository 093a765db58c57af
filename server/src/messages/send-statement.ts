import type { Province } from '#contract/provinces.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'

/** One message to send, sealed already; its id is chosen by the server because the seal is bound to it. */
export type Sending = {
  id: string
  senderId: string
  plateKey: string
  province: Province | null
  contentSealed: Buffer
  reason: string | null
  attachmentId: string | null
  idempotencyKey: string | null
  /** Null exactly when there is no key. */
  requestHash: Buffer | null
}

type Refused =
  | 'idempotency_mismatch'
  | 'plate_not_registered'
  | 'own_vehicle'
  | 'vehicle_not_active'
  | 'attachment_unknown'

/** What became of one message. `ownerId` is for waking the owner's streams and never leaves the server. */
export type Sent =
  | { outcome: 'sent'; id: string; plate: string; inserted_at: string; ownerId: string }
  | { outcome: 'replayed'; id: string; plate: string; inserted_at: string }
  | { outcome: 'province_needed'; provinces: Province[] }
  | { outcome: Refused }

type Row = {
  outcome: Sent['outcome']
  id: string
  plate: string
  inserted_at: string
  owner_id: string
  provinces: Province[]
}

/**
 * Decides and stores a batch of messages in one statement, and so in one transaction and one commit (design §1, rule 1):
 * resolves each plate, checks the rules, and writes message, notification and mail.
 *
 * A live vehicle (active, verified) wins over others of its plate; live in several provinces asks for the province. The
 * own vehicle is told before 'not active' (spec §8's order).
 *
 * @returns one answer for each item, in their order
 */
export async function sendBatch(db: Db, items: Sending[]): Promise<Sent[]> {
  const rows = await db<Row[]>`
    with input as (
      select * from unnest(
        ${items.map((i) => i.id)}::uuid[],
        ${items.map((i) => i.senderId)}::uuid[],
        ${items.map((i) => i.plateKey)}::text[],
        ${items.map((i) => i.province)}::text[],
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
        ${items.map(() => newId())}::uuid[],
        ${items.map(() => newId())}::uuid[]
      ) with ordinality as i (id, sender_id, plate_key, province, content_sealed, reason, attachment_id, key,
        request_hash, notification_id, outbox_id, ord)
    ), judged as materialized (
      select i.*, found.*, earlier.message_id as earlier_id, earlier.inserted_at as earlier_at, earlier.plate as earlier_plate,
        case
          when earlier.same then 'replayed'
          when not earlier.same then 'idempotency_mismatch'
          when found.known = 0 then 'plate_not_registered'
          when found.live > 1 then 'province_needed'
          when found.owner_id = i.sender_id or (found.live = 0 and found.all_own) then 'own_vehicle'
          when found.live = 0 then 'vehicle_not_active'
          when i.attachment_id is not null and not exists (
            select from attachments a
            where a.id = i.attachment_id and a.uploader_id = i.sender_id
              and not exists (select from messages m where m.attachment_id = a.id)
          ) then 'attachment_unknown'
          else 'sent'
        end as outcome
      from input i
      cross join lateral (
        select count(*) as known,
          count(*) filter (where v.status in ('active', 'verified')) as live,
          (array_agg(v.id) filter (where v.status in ('active', 'verified')))[1] as vehicle_id,
          (array_agg(v.user_id) filter (where v.status in ('active', 'verified')))[1] as owner_id,
          (array_agg(v.plate) filter (where v.status in ('active', 'verified')))[1] as plate,
          array_agg(v.province order by v.province) filter (where v.status in ('active', 'verified')) as provinces,
          bool_and(v.user_id = i.sender_id) as all_own
        from vehicles v
        where v.plate_key = i.plate_key and (i.province is null or v.province = i.province)
      ) found
      left join lateral (
        select m.id as message_id, m.request_hash = i.request_hash as same, m.inserted_at, v.plate
        from messages m
        join vehicles v on v.id = m.vehicle_id
        where m.sender_id = i.sender_id and m.idempotency_key = i.key
      ) earlier on true
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
      from judged j
      left join preferences p on p.user_id = j.owner_id
      where j.outcome = 'sent' and p.email_messages is not false
    )
    select j.outcome, coalesce(j.earlier_id, j.id) as id, coalesce(j.earlier_plate, j.plate) as plate,
      coalesce(j.earlier_at, m.inserted_at) as inserted_at, j.owner_id, j.provinces
    from judged j
    left join message m on m.id = j.id
    order by j.ord`
  return rows.map(toSent)
}

/** Object id of the type bytea: the driver cannot tell from an array of buffers that it is one. */
const BYTEA = 17

function toSent({ outcome, id, plate, inserted_at, owner_id, provinces }: Row): Sent {
  if (outcome === 'sent') return { outcome, id, plate, inserted_at, ownerId: owner_id }
  if (outcome === 'replayed') return { outcome, id, plate, inserted_at }
  if (outcome === 'province_needed') return { outcome, provinces }
  return { outcome }
}
