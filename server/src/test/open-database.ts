import { openPool, type Pool } from '../db/pool.ts'
import { closeAtEnd } from './closing.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Opens a database with the current schema, which goes when all tests of this process are over. */
export async function openTestDatabase(connections = 2): Promise<TestDatabase & { db: Pool }> {
  const database = await createTestDatabase()
  const db = openPool(database.connection, connections)
  closeAtEnd(async () => {
    await db.end({ timeout: 5 })
    await database.drop()
  })
  return { ...database, db }
}
