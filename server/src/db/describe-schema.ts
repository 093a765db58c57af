import type { Pool } from './pool.ts'

const HEAD = `-- The schema that the migrations make, for reading: nothing runs this file. Reasons stand in the migrations of each feature
-- (server/src/*/NNNN_*.sql). Written by \`npm run db:schema\`; a test compares it with a migrated database.
`

/**
 * Returns the schema of a database as SQL to read: types of columns, constraints, indexes, views, functions and triggers, in an
 * order that does not depend on the migrations. Leaves out what extensions add, and the table of applied migrations.
 *
 * PostgreSQL's own `pg_dump` is not among the embedded binaries, and must be as new as the server it reads.
 */
export async function describeSchema(db: Pool): Promise<string> {
  const sections = [
    ['Extensions', await extensions(db)],
    ['Schemas', await schemas(db)],
    ['Tables', await tables(db)],
    ['Views', await views(db)],
    ['Functions', await functions(db)],
  ] as const
  return `${HEAD}\n${sections.map(([title, statements]) => `-- ${title}\n\n${statements.join('\n\n')}\n`).join('\n')}`
}

const extensions = async (db: Pool) => {
  const rows = await db<{ name: string }[]>`
    select extname as name from pg_extension where extname <> 'plpgsql' order by extname`
  return rows.map(({ name }) => `create extension ${name};`)
}

const schemas = async (db: Pool) => {
  const rows = await db<{ name: string }[]>`
    select nspname as name from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
    order by nspname`
  return rows.map(({ name }) => `create schema ${name};`)
}

const views = async (db: Pool) => {
  const rows = await db<{ name: string; definition: string }[]>`
    select schemaname || '.' || viewname as name, definition
    from pg_views
    where schemaname !~ '^pg_' and schemaname <> 'information_schema'
      and not exists (
        select from pg_depend d where d.objid = (schemaname || '.' || viewname)::regclass and d.deptype = 'e')
    order by schemaname, viewname`
  return rows.map(({ name, definition }) => `create view ${name} as\n${definition.trimEnd()}`)
}

const functions = async (db: Pool) => {
  const rows = await db<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)`
  return rows.map(({ definition }) => `${definition.trimEnd()};`)
}

type TableRow = {
  name: string
  columns: string[]
  constraints: string[]
  options: string[] | null
  indexes: string[]
  triggers: string[]
}

/** Returns each table with its indexes and triggers; columns are in order of creation, everything else is sorted by name. */
const tables = async (db: Pool) => {
  const rows = await db<TableRow[]>`
    select n.nspname || '.' || c.relname as name, c.reloptions as options,
      (
        select array_agg(
          quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
            || case when a.attgenerated = 's' then ' generated always as ' || pg_get_expr(d.adbin, d.adrelid) || ' stored'
              when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
            || case when a.attnotnull then ' not null' else '' end
            || case when a.attstattarget > 0 then ' /* statistics ' || a.attstattarget || ' */' else '' end
          order by a.attnum)
        from pg_attribute a
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns,
      -- PostgreSQL 18 lists 'not null' as constraints too
      coalesce((
        select array_agg('constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) order by k.contype <> 'p', k.conname)
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'f', 'x')
      ), '{}') as constraints,
      coalesce((
        select array_agg(pg_get_indexdef(i.indexrelid) || ';' order by pg_get_indexdef(i.indexrelid))
        from pg_index i
        where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
      ), '{}') as indexes,
      coalesce((
        select array_agg(pg_get_triggerdef(t.oid) || ';' order by t.tgname)
        from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
      ), '{}') as triggers
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and c.relname <> 'schema_migrations'
    order by n.nspname, c.relname`
  return rows.map(({ name, columns, constraints, options, indexes, triggers }) => {
    const parts = [...columns, ...constraints].map((part) => `  ${part}`).join(',\n')
    const table = `create table ${name} (\n${parts}\n)${options ? ` with (${options.join(', ')})` : ''};`
    return [table, ...indexes, ...triggers].join('\n')
  })
}
