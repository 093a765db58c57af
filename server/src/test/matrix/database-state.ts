import type { Pool } from '../../db/pool.ts'

/** Tables that a refused request may change, and why. */
const NOT_COMPARED: Record<string, string> = {
  'public.rate_counters': 'refused attempts count too: that is how guessing is limited',
  'auth.factor_challenges': 'wrong answers to a challenge are counted',
  'auth.events': 'refused sign-ins are recorded, for the person to see',
  'auth.session_uses': 'every request of an admin is a use of the session',
  'public.job_runs': 'background jobs record their runs meanwhile',
  'public.deletions': 'the worker notes meanwhile what it has copied beside the database',
  'public.processes': 'the server reports its own figures meanwhile',
}

/**
 * Prepares a test's database so that its state can be compared and restored. Triggers mark the tables that a statement was about,
 * because to compare all of them after each request would take longer than everything else. Restoring switches triggers and
 * foreign keys off, which the superuser of the tests' PostgreSQL may do.
 */
export async function prepareDatabaseState(db: Pool) {
  await db`create schema matrix`
  await db`create table matrix.checksums (name text primary key, checksum text not null)`
  await db`create table matrix.marks (name text not null)`
  await db`
    create function matrix.checksum(name text) returns text language plpgsql as $$
    declare
      checksum text;
    begin
      execute format('select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) from %s t', name)
        into checksum;
      return checksum;
    end $$`
  await db`
    create function matrix.mark() returns trigger language plpgsql as $$
    begin
      insert into matrix.marks values (format('%I.%I', tg_table_schema, tg_table_name));
      return null;
    end $$`
  await db`
    create function matrix.remember(names text[]) returns void language plpgsql as $$
    declare
      name text;
    begin
      foreach name in array names loop
        execute format('drop table if exists matrix.%I', name);
        execute format('create table matrix.%I as table %s', name, name);
      end loop;
      delete from matrix.checksums;
      insert into matrix.checksums select n, matrix.checksum(n) from unnest(names) n;
      delete from matrix.marks;
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
      delete from matrix.marks m where m.name = any(names);
    end $$`
  const tables = (
    await db<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'matrix') order by 1`
  ).map(({ name }) => name)
  const compared = tables.filter((name) => !(name in NOT_COMPARED))
  for (const name of compared)
    await db.unsafe(`
      create trigger matrix_mark after insert or update or delete or truncate on ${name}
      for each statement execute function matrix.mark()`)

  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

  return {
    /** The tables that are compared. */
    compared,
    /** Makes the present state the one to compare with and to restore. */
    async remember(): Promise<void> {
      await db`select matrix.remember(${compared}::text[])`
    },
    /** Lists the tables, of those that statements were about, whose rows differ from those remembered. */
    changedTables: async (): Promise<string[]> =>
      namesOf(
        await db<{ name: string }[]>`
          select name from (select distinct name from matrix.marks) m join matrix.checksums c using (name)
          where matrix.checksum(name) <> c.checksum order by name`,
      ),
    /** Lists the same of all tables, which takes longer. */
    changedOfAllTables: async (): Promise<string[]> =>
      namesOf(
        await db<{ name: string }[]>`
          select name from matrix.checksums c where matrix.checksum(name) <> c.checksum order by name`,
      ),
    /** Restores these tables as they were remembered. */
    async restore(names: string[]): Promise<void> {
      await db`select matrix.restore(${names}::text[])`
    },
  }
}
