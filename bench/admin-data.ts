import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from '../server/src/db/pool.ts'

/** A vehicle of the sample data and its owner, who has a double name. */
export type SampleVehicle = { plate_key: string; email: string; full_name: string }

/**
 * Fills a migrated database, over its one connection, with vehicles and nearly a third as many accounts. Indexes without a constraint are dropped and
 * created again afterwards: updating them row by row would take most of the time.
 *
 * @returns some of the vehicles, spread over all of them
 */
export async function fillDatabase(db: Pool, vehicles: number): Promise<SampleVehicle[]> {
  await db`set maintenance_work_mem = '512MB'`
  await db`select set_config('bench.vehicles', ${vehicles}::text, false)`
  const indexes = await db<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid in ('auth.users'::regclass, 'vehicles'::regclass) and not indisunique
      -- pairs that wait for a dispute are found by it
      and indexrelid <> 'vehicles_plate_key'::regclass`
  for (const { name } of indexes) await db.unsafe(`drop index ${name}`)
  await db.unsafe(readFileSync(join(import.meta.dirname, 'admin-data.sql'), 'utf8'))
  for (const { definition } of indexes) await db.unsafe(definition)
  await db.unsafe('vacuum analyze auth.users, vehicles, plate_disputes')
  return await db<SampleVehicle[]>`
    select v.plate_key, u.email, u.user_metadata ->> 'full_name' as full_name
    from generate_series(1, 300) n
    cross join lateral (
      select plate_key, user_id from vehicles
      where id >= bench_id((n * ${vehicles}::bigint) / 301, 6e10 / ${vehicles}::float8, '9000')
        and (select user_metadata ->> 'full_name' like '%-%' from auth.users where auth.users.id = user_id)
      order by id
      limit 1) v
    join auth.users u on u.id = v.user_id`
}
