import { MIGRATION_LOCK } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { Identifier } from '../db/sql.ts'

/** A table as a backup reads it. */
export type Table = {
  /** With its schema: `public.vehicles`. */
  name: string
  /** Those that are stored: the database computes the others again. */
  columns: string[]
  /** The columns by which its rows have one order; empty without a primary key. */
  key: string[]
}

/** Lists the tables of PlateNote, by their names; those that extensions brought are not ours. */
export const listTables = async (db: Db): Promise<Table[]> => [
  ...(await db<Table[]>`
    select n.nspname || '.' || c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select array_agg(a.attname::text order by array_position(i.indkey::int2[], a.attnum))
        from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey::int2[])
        where i.indrelid = c.oid and i.indisprimary), '{}') as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'auth')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`),
]

/** Quotes a name that comes from the catalogue or from a manifest. */
export const quote = (name: string): string => new Identifier(name).text

type ForeignKey = { table: string; name: string; definition: string }

/** Lists the references between tables. */
export const listForeignKeys = async (db: Db): Promise<ForeignKey[]> => [
  ...(await db<ForeignKey[]>`
    select n.nspname || '.' || c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname in ('public', 'auth')
    order by 1, 2`),
]

/** Lists our functions with their arguments, as `drop function` takes them. */
export const listFunctions = async (db: Db): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`
    select quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'auth')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
  return rows.map(({ name }) => name)
}

/**
 * Lists the names of what else is connected to this database: everything under our role, whatever a URL calls it, and PlateNote
 * under another one. Monitoring and a host's own services have roles of their own, and what those do is hidden from us.
 */
export const listOtherConnections = async (db: Db): Promise<string[]> => {
  const rows = await db<{ name: string }[]>`
    select distinct coalesce(nullif(application_name, ''), 'without a name') as name from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (
      application_name like 'platenote%' or usename = session_user and backend_type = 'client backend')
    order by 1`
  return rows.map(({ name }) => name)
}

/** Keeps servers that start from migrating the database until the transaction ends; returns false when one does already. */
export const lockMigrations = async (tx: Db): Promise<boolean> => {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as locked`
  return row!.locked
}
