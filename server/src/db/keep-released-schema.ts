import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST_MIGRATION, MIGRATIONS_FOLDER, readSchema } from './schema-files.ts'

// Keeps the schema of the first release as its migration (CONTRIBUTING, 'A release'). It is never edited afterwards.
writeFileSync(join(MIGRATIONS_FOLDER, FIRST_MIGRATION), readSchema(), { flag: 'wx' })
