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
 * Copies what is in a test's database now, to compare with and to restore. Triggers mark the tables that a statement was about,
 * because to compare all of them after each request would take longer than everything else. Restoring switches triggers and
 * foreign keys off, which the superuser of the tests' PostgreSQL may do.
 */
export async function rememberState(db: Pool) {
  const tables = await db<{ name: string; copy: string; columns: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name, format('matrix.%I', n.nspname || '.' || c.relname) as copy,
      (select string_agg(format('%I', attname), ', ') from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`
  await db.unsafe(`
    create schema matrix;
    create table matrix.marks (name text not null);
    create function matrix.mark() returns trigger language plpgsql as $$
      begin
        insert into matrix.marks values (format('%I.%I', tg_table_schema, tg_table_name));
        return null;
      end $$`)
  const compared = tables.filter(({ name }) => !(name in NOT_COMPARED))
  for (const { name, copy } of compared)
    await db.unsafe(`
      create table ${copy} as table ${name};
      create trigger matrix_mark after insert or update or delete or truncate on ${name}
        for each statement execute function matrix.mark()`)

  /** Returns the tables that statements were about. */
  const touched = async () => {
    const marks = await db<{ name: string }[]>`select distinct name from matrix.marks`
    return compared.filter(({ name }) => marks.some((mark) => mark.name === name))
  }

  return {
    touched,
    /** Lists the tables whose rows are no longer those remembered. */
    async changed(): Promise<string[]> {
      const changed: string[] = []
      for (const { name, copy } of await touched()) {
        const texts = (table: string) => `(select t::text from ${table} t)`
        const rows = await db.unsafe(`
          (${texts(name)} except all ${texts(copy)}) union all (${texts(copy)} except all ${texts(name)}) limit 1`)
        if (rows.length > 0) changed.push(name)
      }
      return changed
    },
    /** Makes all tables as they were. */
    async restore(): Promise<void> {
      const names = await touched()
      if (names.length === 0) return
      const each = names.map(
        ({ name, copy, columns }) => `
          delete from ${name};
          insert into ${name} (${columns}) overriding system value select ${columns} from ${copy};`,
      )
      await db.unsafe(
        `begin; set local session_replication_role = replica; ${each.join('')} delete from matrix.marks; commit`,
      )
    },
  }
}
