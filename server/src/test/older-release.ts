import type { Db } from '../db/pool.ts'

type Column = { type: string; isRequired: boolean; isFilled: boolean }
type Rule = { table: string; definition: string; columns: string[]; isUnique: boolean }

/** What statements of a release rely on, by name: `schema.table`, `schema.table.column`, `schema.function(arguments)` … */
export type ReliedOn = {
  tables: Set<string>
  columns: Map<string, Column>
  functions: Map<string, string>
  /** Constraints and unique indexes. */
  rules: Map<string, Rule>
  triggers: Set<string>
}

const OWN_SCHEMA = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`

/** Reads from the catalogue of a database what statements may rely on. */
export async function readReliedOn(db: Db): Promise<ReliedOn> {
  const columns = await db.unsafe<{ table: string; name: string; type: string; required: boolean; filled: boolean }[]>(`
    select n.nspname || '.' || c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, a.atthasdef or a.attidentity <> '' as filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OWN_SCHEMA} and c.relkind in ('r', 'v', 'm', 'p') and a.attnum > 0 and not a.attisdropped`)
  const functions = await db.unsafe<{ name: string; returns: string }[]>(`
    select n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name,
      pg_get_function_result(p.oid) as returns
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${OWN_SCHEMA} and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
  const rules = await db.unsafe<
    { table: string; name: string; definition: string; columns: string[]; unique: boolean }[]
  >(`
    select n.nspname || '.' || c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(k.conkey)) as columns,
      k.contype in ('p', 'u', 'x') as unique
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OWN_SCHEMA} and k.contype in ('p', 'u', 'c', 'f', 'x')
    union all
    select n.nspname || '.' || c.relname, x.relname, pg_get_indexdef(i.indexrelid),
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(i.indkey::smallint[])), true
    from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    where ${OWN_SCHEMA} and i.indisunique and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`)
  const triggers = await db.unsafe<{ name: string }[]>(`
    select n.nspname || '.' || c.relname || '.' || t.tgname as name
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OWN_SCHEMA} and not t.tgisinternal`)
  return {
    tables: new Set(columns.map(({ table }) => table)),
    columns: new Map(
      columns.map(({ table, name, type, required, filled }) => [
        `${table}.${name}`,
        { type, isRequired: required, isFilled: filled },
      ]),
    ),
    functions: new Map(functions.map(({ name, returns }) => [name, returns])),
    rules: new Map(
      rules.map(({ table, name, definition, columns, unique }) => [
        `${table}.${name}`,
        { table, definition, columns, isUnique: unique },
      ]),
    ),
    triggers: new Set(triggers.map(({ name }) => name)),
  }
}

/** Returns the names of the indexes on some tables. */
export async function readIndexes(db: Db, tables: string[]): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select indexname as name from pg_indexes where schemaname = 'public' and tablename = any(${tables}::text[])`
  return rows.map(({ name }) => name)
}

const QUOTED = /'((?:[^']|'')*)'(?:::[a-z ]+)?/g
/** Returns whether a check is the same but for a list of values, which has only grown. */
function isWiderList(before: string, after: string): boolean {
  const skeleton = (text: string) => text.replace(/ARRAY\[[^\]]*\]/g, 'ARRAY[]')
  const values = (text: string) => [...text.matchAll(QUOTED)].map(([, value]) => value)
  return skeleton(before) === skeleton(after) && values(before).every((value) => values(after).includes(value))
}

/**
 * Returns why statements of the release that knows `before` may fail, or do something else, on a database that is as `after`:
 * something they name is gone or has another type, or a rule is stricter than they know. What a statement means to the product
 * cannot be seen here.
 */
export function findBreaks(before: ReliedOn, after: ReliedOn): string[] {
  const breaks: string[] = []
  for (const [name, { type, isRequired, isFilled }] of before.columns) {
    const now = after.columns.get(name)
    if (!now) breaks.push(`${name} is gone`)
    else if (now.type !== type) breaks.push(`${name} is ${now.type}, was ${type}`)
    else if (now.isRequired && !isRequired) breaks.push(`${name} may no longer be null`)
    else if (now.isRequired && isFilled && !now.isFilled) breaks.push(`${name} has lost its default`)
  }
  for (const [name, { isRequired, isFilled }] of after.columns) {
    const isNew = !before.columns.has(name) && before.tables.has(name.slice(0, name.lastIndexOf('.')))
    if (isNew && isRequired && !isFilled) breaks.push(`${name} is new and has to be given`)
  }
  for (const [name, returns] of before.functions) {
    if (after.functions.get(name) !== returns) breaks.push(`${name} is gone or returns something else`)
  }
  for (const [name, { definition, isUnique }] of before.rules) {
    const now = after.rules.get(name)
    // "on conflict" names the columns of a unique rule
    if (!now && isUnique) breaks.push(`${name} is gone`)
    if (now && now.definition !== definition && (isUnique || !isWiderList(definition, now.definition)))
      breaks.push(`${name} has changed`)
  }
  for (const [name, { table, columns }] of after.rules) {
    if (before.rules.has(name) || !before.tables.has(table)) continue
    // a row of the older release has the defaults of the columns it does not know
    if (columns.length === 0 || columns.some((column) => before.columns.has(`${table}.${column}`)))
      breaks.push(`${name} is a new rule about columns there were`)
  }
  for (const name of before.triggers) if (!after.triggers.has(name)) breaks.push(`${name} is gone`)
  return breaks.sort()
}
