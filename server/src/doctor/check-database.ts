import { findPending, readAppliedMigrations } from '../db/current-schema.ts'
import type { Pool } from '../db/pool.ts'
import { readMigrations } from '../db/schema-files.ts'
import { readOnly } from './connect.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const OLDEST_VERSION = 15
/** What commands and an administrator's own session need beside the processes. */
const SPARE_CONNECTIONS = 3

type Server = { version: string; number: number; is_standby: boolean; is_read_only: boolean; encoding: string }

/** Checks that the database is one PlateNote can work with: its version and encoding, and that it is the primary. */
export async function checkServer(db: Pool): Promise<Finding> {
  const [row] = await db<Server[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only')::boolean as is_read_only,
      getdatabaseencoding() as encoding`
  const { version, number, is_standby, is_read_only, encoding } = row!
  if (Math.floor(number / 10_000) < OLDEST_VERSION)
    return fail(`PostgreSQL ${version} is too old: upgrade it to ${OLDEST_VERSION} or newer`)
  if (is_standby) return fail('this is a standby, which cannot write: let DATABASE_URL lead to the primary')
  if (is_read_only) return fail('default_transaction_read_only is on: switch it off for this database and role')
  if (encoding !== 'UTF8') return fail(`its encoding is ${encoding}: create a database with the encoding UTF8`)
  return ok(`PostgreSQL ${version} answers`)
}

/** Compares the migrations of the database with those of this build. */
export async function checkSchema(db: Pool, migrations = readMigrations()): Promise<Finding> {
  const applied = await readOnly(db, readAppliedMigrations)
  if (applied.length === 0)
    return warn('the database is empty: the first start, or platenote migrate, makes its tables')
  const pending = findPending(applied, migrations).length
  if (pending === 0) return ok(`migration ${migrations.at(-1)!.name.slice(0, 4)}, as this build has it`)
  return warn(
    `older than this build by ${pending} ${pending === 1 ? 'migration' : 'migrations'}: make a backup; the next start, or platenote migrate, brings it up to date`,
  )
}

/** Checks the extension that the lists of admins search with. */
export async function checkExtension(db: Pool): Promise<Finding> {
  const [row] = await db<{ installed: boolean; available: boolean; may_create: boolean }[]>`
    select exists (select 1 from pg_extension where extname = 'pg_trgm') as installed,
      exists (select 1 from pg_available_extensions where name = 'pg_trgm') as available,
      has_database_privilege(current_database(), 'create') as may_create`
  const { installed, available, may_create } = row!
  if (installed) return ok('pg_trgm is there')
  if (!available) return fail('pg_trgm is not installed on its machine: install the package postgresql-contrib there')
  if (may_create) return ok('pg_trgm is made by the first start')
  return fail('pg_trgm is missing: let an administrator of the database run "create extension pg_trgm" in it')
}

/** Checks that the role may do what migrations and a restore do: create tables, and own those that are there. */
export async function checkRights(db: Pool): Promise<Finding> {
  const [row] = await db<
    { schema: string | null; may_create: boolean; may_create_schemas: boolean; foreign: number }[]
  >`
    select current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      to_regnamespace('auth') is not null or has_database_privilege(current_database(), 'create') as may_create_schemas,
      (
        select count(*)::int from pg_class c
        where c.relnamespace in (to_regnamespace(current_schema()), to_regnamespace('auth'))
          and c.relkind in ('r', 'p', 'v', 'm') and not pg_has_role(c.relowner, 'usage')
          and not exists (
            select 1 from pg_depend d
            where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      ) as foreign`
  const { schema, may_create, may_create_schemas, foreign } = row!
  if (!may_create)
    return fail(
      `the role may not create tables: let an administrator grant it "create" on the schema ${schema ?? 'public'}`,
    )
  if (!may_create_schemas)
    return fail('the role may not create schemas: let an administrator grant it "create" on the database')
  if (foreign > 0)
    return fail(
      `${foreign} tables belong to another role, so that no migration can change them: make this role their owner`,
    )
  return ok('the role may create tables, and owns those that are there')
}

type Connections = {
  server_left: number
  database_limit: number
  database_used: number
  role_limit: number
  role_used: number
  has_processes: boolean
}

/** Compares the connections that are left with the pools of all processes, those that run and one of these settings. */
export async function checkConnections(db: Pool, poolSize: number): Promise<Finding> {
  const { limits, processes } = await readOnly(db, async (tx) => {
    const [row] = await tx<Connections[]>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0)
          - (select sum(numbackends)::int from pg_stat_database) as server_left,
        d.datconnlimit as database_limit,
        (select numbackends from pg_stat_database s where s.datid = d.oid) as database_used,
        r.rolconnlimit as role_limit,
        (select count(*)::int from pg_stat_activity a where a.usesysid = r.oid) as role_used,
        to_regclass('processes') is not null as has_processes
      from pg_database d, pg_roles r
      where d.datname = current_database() and r.rolname = session_user`
    const [pools] = row!.has_processes
      ? await tx<{ count: number; wanted: number }[]>`
          select count(*)::int, coalesce(sum(2 * pool_size + 1), 0)::int as wanted from processes
          where seen_at > now() - interval '2 minutes'`
      : []
    return { limits: row!, processes: pools ?? { count: 0, wanted: 0 } }
  })
  const { server_left, database_limit, database_used, role_limit, role_used } = limits
  const left = Math.min(
    server_left,
    database_limit < 0 ? server_left : database_limit - database_used,
    role_limit < 0 ? server_left : role_limit - role_used,
  )
  // a pool grows to twice its size while statements wait, and one connection more listens
  const wanted = Math.max(processes.wanted, 2 * poolSize + 1)
  const running = processes.count === 0 ? 'none runs' : `${processes.count} run`
  const facts = `${left} are left; the pools of PlateNote may take ${wanted} in all (${running})`
  const free = left + (processes.count === 0 ? 0 : Math.min(role_used, wanted))
  return free < wanted + SPARE_CONNECTIONS
    ? warn(`${facts}: raise max_connections of the database, or lower DATABASE_POOL`)
    : ok(facts)
}

/** Warns when the database says that something is kept before it is. */
export async function checkDurability(db: Pool): Promise<Finding[]> {
  const [row] = await db<{ fsync: boolean; pages: boolean; commit: string; has_standbys: boolean }[]>`
    select current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as pages,
      current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') <> '' as has_standbys`
  const { fsync, pages, commit, has_standbys } = row!
  const found: Finding[] = []
  if (!fsync) found.push(warn('fsync is off: a power cut can destroy the database; switch it on'))
  if (!pages) found.push(warn('full_page_writes is off: a power cut can damage the database; switch it on'))
  if (commit === 'off')
    found.push(warn('synchronous_commit is off: a crash loses what was acknowledged last; switch it on'))
  if (commit === 'local' && has_standbys)
    found.push(
      warn('synchronous_commit is local: a standby that takes over lacks what was acknowledged last; set it to on'),
    )
  return found.length > 0 ? found : [ok(`fsync and synchronous_commit are on`)]
}
