import type { Db } from '../db/pool.ts'

/** Reads everything that a database has but rows, a line for each: what makes it differ from another one is a line of one of them. */
export async function readCatalogue(db: Db): Promise<string[]> {
  const rows = await db<{ line: string }[]>`
    with ours as (
      select n.nspname || '.' || c.relname as name, c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    )
    select line from (
      select 'extension ' || extname from pg_extension
      union all
      select concat_ws(' ', 'schema', nspname, nspacl) from pg_namespace where nspname in ('public', 'auth')
      union all
      select concat_ws(' ', 'relation', name, relkind, reloptions, relacl, relrowsecurity) from ours
      union all
      select concat_ws(' ', 'column', o.name, a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated, a.attidentity,
        pg_get_expr(d.adbin, d.adrelid), a.attnotnull, nullif(a.attstattarget, -1), a.attacl)
      from ours o
      join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where o.relkind in ('r', 'v')
      union all
      -- PostgreSQL 18 lists 'not null' as constraints too
      select concat_ws(' ', 'constraint', o.name, k.conname, pg_get_constraintdef(k.oid), k.convalidated)
      from ours o join pg_constraint k on k.conrelid = o.oid where k.contype <> 'n'
      union all
      select pg_get_indexdef(i.indexrelid) from ours o join pg_index i on i.indrelid = o.oid where i.indisvalid
      union all
      select concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
      from ours o join pg_trigger t on t.tgrelid = o.oid where not t.tgisinternal
      union all
      select concat_ws(' ', 'view', name, pg_get_viewdef(oid)) from ours where relkind = 'v'
      union all
      select concat_ws(' ', pg_get_functiondef(p.oid), p.proacl)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'auth') and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    ) catalogue (line)
    order by line collate "C"`
  return rows.map(({ line }) => line)
}
