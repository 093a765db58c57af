import type { Pool } from '../server/src/db/pool.ts'
import { fillDatabase } from './admin-data.ts'
import { createClient, type Member, openDatabase, PASSWORD, startDatabase, startMember } from './installation.ts'

export const MESSAGES_OF_A_VEHICLE = 10
/** People spread over all accounts, so that their rows lie on many pages. */
export const READERS = 200

/** The cache of PostgreSQL, in which the indexes of ten million messages fit, as `docs/operations.md` asks for. */
export const CACHE = '8GB'

/** Somebody who is signed in, and a plate of theirs. */
export type Reader = { id: string; token: string; refreshToken: string; plate: string }

export type Installation = Awaited<ReturnType<typeof createInstallation>>

/** Starts an embedded PostgreSQL that counts what statements cost, and a process of all roles on it. */
export async function createInstallation(vehicles: number) {
  const settings = { shared_preload_libraries: 'pg_stat_statements', max_wal_size: '8GB', shared_buffers: CACHE }
  const started = new AsyncDisposableStack()
  const database = started.use(await startDatabase(settings))
  const member = started.use(await startMember('all', database.env))
  const db = started.use(openDatabase(database.url, 1))
  await db.unsafe('create extension pg_stat_statements; create extension pg_prewarm')
  await fillDatabase(db, vehicles)
  await fillMessages(db)
  await fillPeople(db)
  await db.unsafe('vacuum analyze')
  const indexBytes = await readIndexes(db)
  const readers = await signReadersIn(db, member)
  return { db, member, readers, indexBytes, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** Writes messages to the vehicles with their notifications and emails, as after two years of use. */
async function fillMessages(db: Pool) {
  await db.begin(async (tx) => {
    await tx.unsafe(`set local session_replication_role = replica; set local synchronous_commit = off`)
    await tx.unsafe(`create temporary table cars on commit drop as
      select row_number() over () as k, id, user_id, plate from vehicles`)
    await tx.unsafe(`create temporary table people on commit drop as
      select row_number() over () as k, id from auth.users`)
    await tx.unsafe('analyze cars, people')
    await tx.unsafe(`
      insert into messages (id, vehicle_id, sender_id, content_encrypted, reason, is_read, inserted_at, plate, addressed_to)
      select bench_id(n, 6e10 / total, 'b000'), c.id, p.id, decode(repeat('5e', 220), 'hex'), 'lights_on', n % 10 > 0,
        to_timestamp((1700000000000 + n * (6e10 / total)) / 1000), c.plate, c.id
      from (select count(*) * ${MESSAGES_OF_A_VEHICLE} as total, count(*) as cars from cars) t,
        lateral generate_series(1, total) n
      join cars c on c.k = n * 7919 % (select count(*) from cars) + 1
      join people p on p.k = n * 104729 % (select count(*) from people) + 1`)
    await tx.unsafe(`
      insert into notifications (id, user_id, number, type, data, message_id, is_read, created_at)
      select m.id, c.user_id, row_number() over (partition by c.user_id order by m.id), 'message_received',
        jsonb_build_object('plate', m.plate, 'message_id', m.id), m.id, m.is_read, m.inserted_at
      from messages m join cars c on c.id = m.vehicle_id`)
    await tx.unsafe(`
      insert into notification_counters (user_id, last_number)
      select user_id, max(number) from notifications group by user_id`)
    await tx.unsafe(`
      insert into outbox (id, kind, ref_id, recipient_id, attempts, run_at, due_since, sent_at, created_at)
      select message_id, 'message', message_id, user_id, 1, created_at, created_at, created_at, created_at
      from notifications`)
    await tx.unsafe(`
      insert into digests (recipient_id, next_at, tries) select user_id, now(), 0 from notification_counters`)
  })
}

/** Writes a session for every account, and its rate counters of this hour. */
async function fillPeople(db: Pool) {
  await db.begin(async (tx) => {
    await tx.unsafe(`set local session_replication_role = replica; set local synchronous_commit = off`)
    await tx.unsafe(`
      insert into auth.sessions (id, user_id, amr) select id, id, '[{"method": "password", "timestamp": 1}]' from auth.users`)
    await tx.unsafe(`
      insert into auth.refresh_tokens (token_hash, session_id) select sha256(id::text::bytea), id from auth.users`)
    await tx.unsafe(`
      insert into rate_counters (key, window_start, count, expires_at)
      select 'bench:' || encode(sha256(id::text::bytea), 'base64'), date_trunc('minute', now()), 1, now() + interval '1 day'
      from auth.users`)
  })
}

/**
 * Reads all indexes into the cache, where they are on a machine of the right size once it has worked for a day: 200 people look at
 * too little of them for that. Returns their size in bytes; throws when they do not fit, as every lookup would then depend on luck.
 */
async function readIndexes(db: Pool): Promise<number> {
  const [read] = await db<{ bytes: number; fits: boolean }[]>`
    with indexes as materialized (
      select pg_relation_size(oid) as bytes, pg_prewarm(oid) from pg_class
      where relkind = 'i' and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)
    )
    select sum(bytes)::float8 as bytes, sum(bytes) < pg_size_bytes(${CACHE}) as fits from indexes`
  if (!read!.fits) throw new Error(`The indexes, ${read!.bytes} bytes, do not fit into a cache of ${CACHE}.`)
  return read!.bytes
}

/** Signs people in, of every so many accounts one that has an active vehicle. */
async function signReadersIn(db: Pool, member: Member): Promise<Reader[]> {
  const { call, signUp } = createClient(member)
  const { id } = await signUp('password')
  const people = await db<{ id: string; email: string; plate: string }[]>`
    with numbered as (
      select id, row_number() over (order by id) as n, count(*) over () as total from auth.users where id <> ${id}
    ), owners as (
      select distinct on (part) part, u.id, v.plate
      from numbered u
      join lateral (select plate from vehicles where user_id = u.id and status = 'active' limit 1) v on true
      cross join lateral (select (u.n - 1) * ${READERS} / u.total as part) p
      order by part, u.n
    )
    update auth.users t set encrypted_password = (select encrypted_password from auth.users where id = ${id})
    from owners where t.id = owners.id
    returning t.id, t.email, owners.plate`
  const readers: Reader[] = []
  for (const { id, email, plate } of people) {
    const session = await call('POST', '/auth/v1/token?grant_type=password', null, { email, password: PASSWORD })
    const { access_token, refresh_token } = session as { access_token: string; refresh_token: string }
    readers.push({ id, token: access_token, refreshToken: refresh_token, plate })
  }
  return readers
}
