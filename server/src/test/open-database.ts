import type { Pool } from '../db/pool.ts'
import { callingFile, closeAtEnd } from './closing.ts'
import { createTestDatabase, openTestPool, type TestDatabase } from './database.ts'

/** Opens a database with the current schema, which goes when the tests of the file are over. */
export async function openTestDatabase(connections = 2): Promise<TestDatabase & { db: Pool }> {
  const openedBy = callingFile()
  const database = await createTestDatabase()
  const db = openTestPool(database.connection, connections)
  closeAtEnd(async () => {
    await db.end({ timeout: 5 })
    await database.drop()
  }, openedBy)
  return { ...database, db }
}
