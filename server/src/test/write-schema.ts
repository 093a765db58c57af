import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSchema } from '../db/describe-schema.ts'
import { openPool } from '../db/pool.ts'
import { createTestDatabase } from './database.ts'

// npm run db:schema: writes server/src/db/schema.sql from a freshly migrated database.

const database = await createTestDatabase()
const db = openPool(database.connection, 1)
writeFileSync(join(import.meta.dirname, '../db/schema.sql'), await describeSchema(db))
await db.end()
await database.drop()
