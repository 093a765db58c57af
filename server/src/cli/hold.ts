import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { MAX_UUID } from '../db/pagination.ts'
import type { Pool } from '../db/pool.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { hasEncryptedData, openKeyring } from '../encryption/verify-keys.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { exportHold } from '../holds/export-hold.ts'
import { recordExport } from '../holds/place-hold.ts'
import { findHolds } from '../holds/queries.ts'
import { readTerms } from '../holds/read-hold.ts'
import { OperatorError } from '../log/operator-error.ts'
import { loadSecrets } from '../secrets.ts'
import { runCli, withCurrentDatabase } from './run.ts'

// npm run hold -- list, or export <id> <folder>: the only way to read what legal holds have kept (decision 0117). Works while a
// server is running.

const USAGE = 'usage: npm run hold -- list | export <id> <folder>'
/** More than there will ever be at a time. */
const LIST_MAX = 1_000

const print = (line: string) => process.stdout.write(`${line}\n`)

async function openContext(config: Config, db: Pool) {
  const { masterKey } = loadSecrets(config, { allowCreate: !(await hasEncryptedData(db)) })
  const keys = createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
  return { db, keyring: await openKeyring(db, keys), files: await openFileStore(config) }
}

type Context = Awaited<ReturnType<typeof openContext>>

async function list({ db, keyring }: Context): Promise<void> {
  const holds = await findHolds(db, true, MAX_UUID, LIST_MAX)
  for (const hold of holds) {
    const terms = readTerms(keyring, hold)
    const held = hold.plate === null ? terms?.email : `${hold.plate} (${hold.province})`
    print(`${hold.id}  until ${hold.ends_on}  ${held ?? 'unreadable'}  ${terms?.reference ?? ''}  kept: ${hold.kept}`)
  }
  if (holds.length === 0) print('No hold is in force.')
}

/** Writes a hold's records and files into a new folder, which only this user may read. */
async function exportTo(context: Context, id: string, folder: string): Promise<void> {
  if (!(await recordExport(context, id))) throw new OperatorError(`There is no hold ${id}.`)
  const { rows, files } = await exportHold(context, id)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    throw new OperatorError(`${folder} must not exist yet, and its parent must.`)
  }
  const write = (name: string, bytes: string | Buffer) => writeFileSync(join(folder, name), bytes, { mode: 0o600 })
  write('records.json', `${JSON.stringify(rows, null, 2)}\n`)
  for (const { name, bytes } of files) if (bytes) write(name, bytes)
  print(`${rows.length} records and ${files.filter(({ bytes }) => bytes).length} files are in ${folder}.`)
  for (const { name, bytes } of files) if (!bytes) print(`The file ${name} is missing or damaged.`)
}

await runCli(async () => {
  const [command, id = '', folder = '', ...more] = process.argv.slice(2)
  const isExport = command === 'export' && z.safeParse(z.uuid(), id).success && folder !== '' && more.length === 0
  if (!isExport && !(command === 'list' && id === '')) throw new ConfigError(USAGE)
  const config = loadConfig(process.env)
  await withCurrentDatabase(config, async (db) => {
    const context = await openContext(config, db)
    return isExport ? exportTo(context, id.toLowerCase(), folder) : list(context)
  })
})
