import type { Pool } from '../../server/src/db/pool.ts'

/** The tables about processes and migrations: none of their times affects a link. */
const NOT_MOVED = ['processes', 'job_runs', 'operations_runs', 'schema_migrations']

/**
 * Makes everything in a database older: every time in it is moved back. What is not in the database stays as it is, such as
 * the ends of access tokens.
 */
export async function passTime(db: Pool, seconds: number): Promise<void> {
  const tables = await db<{ name: string; changes: string }[]>`
    select format('%I.%I', table_schema, table_name) as name,
      string_agg(format('%1$I = %1$I - interval ''%2$s seconds''', column_name, ${seconds}::int), ', ') as changes
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
      and is_generated = 'NEVER' and table_name <> all(${NOT_MOVED}::text[])
    group by 1`
  await db.begin(async (tx) => {
    // without triggers: nothing but the times may change
    await tx.unsafe('set local session_replication_role = replica')
    for (const { name, changes } of tables) await tx.unsafe(`update ${name} set ${changes}`)
  })
}
