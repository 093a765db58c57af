import type { Config } from '../config.ts'
import { assertCurrentSchema } from '../db/current-schema.ts'
import { explainDatabaseError } from '../db/explain-error.ts'
import { openDatabaseForCommand } from '../db/open-database.ts'
import type { Pool } from '../db/pool.ts'

/**
 * Runs `work` on the product's database, which a server may be using meanwhile. Neither migrates it nor checks the keys. What the
 * database refuses is a line for the operator.
 *
 * @param mayCreate whether to make an embedded database that is not there
 */
export const withDatabase = <T>(
  config: Config,
  work: (db: Pool) => Promise<T>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<T> =>
  explainingDatabase(config, async () => {
    const { db, close } = await openDatabaseForCommand(config, { mayCreate })
    try {
      return await work(db)
    } finally {
      await close()
    }
  })

/**
 * Does the same on a database that has the schema of this version, and on no other: a command must not migrate one under the
 * servers of an older version, nor make tables in one that was named by mistake.
 */
export const withCurrentDatabase = <T>(config: Config, work: (db: Pool) => Promise<T>): Promise<T> =>
  withDatabase(config, async (db) => {
    await assertCurrentSchema(db)
    return work(db)
  })

/** Runs `work`. A database that cannot be reached, refuses something or has no space is a line for the operator then. */
export async function explainingDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explainDatabaseError(error, config)
  }
}
