import type { Pool } from '../../db/pool.ts'

/** Tables that a refused request may change, and why. */
export const NOT_COMPARED: Record<string, string> = {
  'public.rate_counters': 'refused attempts count too: that is how guessing is limited',
  'auth.factor_challenges': 'wrong answers to a challenge are counted',
  'auth.events': 'refused sign-ins are recorded, for the person to see',
  'auth.session_uses': 'every request of an admin is a use of the session',
  'public.job_runs': 'background jobs record their runs meanwhile',
  'public.deletions': 'the worker notes meanwhile what it has copied beside the database',
  'public.processes': 'the server reports its own figures meanwhile',
}

/** The checksum of each table, by its name with the schema. */
export type Checksums = Map<string, string>

/**
 * Prepares a test's database so that its state can be compared and restored. Restoring switches triggers and foreign keys
 * off, which the superuser of the tests' PostgreSQL may do.
 */
export async function prepareDatabaseState(db: Pool) {
  await db`create schema matrix`
  await db`
    create function matrix.tables() returns setof text language sql as $$
      select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'matrix') order by 1
    $$`
  await db`
    create function matrix.checksums() returns table (name text, checksum text) language plpgsql as $$
    begin
      for name in select matrix.tables() loop
        execute format('select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) from %s t', name)
          into checksum;
        return next;
      end loop;
    end $$`
  await db`
    create function matrix.remember() returns void language plpgsql as $$
    declare
      name text;
    begin
      for name in select matrix.tables() loop
        execute format('drop table if exists matrix.%I', name);
        execute format('create table matrix.%I as table %s', name, name);
      end loop;
    end $$`
  await db`
    create function matrix.restore(names text[]) returns void language plpgsql
    set session_replication_role = replica as $$
    declare
      name text;
      columns text;
    begin
      foreach name in array names loop
        select string_agg(format('%I', attname), ', ') into columns from pg_attribute
        where attrelid = name::regclass and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('delete from %s', name);
        execute format('insert into %s (%s) overriding system value select %s from matrix.%I', name, columns, columns, name);
      end loop;
    end $$`

  /** Returns the checksums of all tables of all schemas but those that are not compared. */
  const checksums = async (): Promise<Checksums> => {
    const rows = await db<{ name: string; checksum: string }[]>`select name, checksum from matrix.checksums()`
    return new Map(rows.filter(({ name }) => !(name in NOT_COMPARED)).map((row) => [row.name, row.checksum]))
  }

  return {
    checksums,
    /** Makes the present state the one to restore. */
    async remember(): Promise<void> {
      await db`select matrix.remember()`
    },
    /** Restores these tables as they were remembered. */
    async restore(tables: string[]): Promise<void> {
      await db`select matrix.restore(${tables}::text[])`
    },
  }
}

/** Lists the tables whose rows differ. */
export const changedTables = (before: Checksums, after: Checksums): string[] =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name))
