import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
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

/**
 * Writes a hold's records and files into a new folder, which only this user may read. The audit log has it before anything is read,
 * and after it is certain that the folder can be made. What was decrypted does not stay when the rest cannot be written.
 */
async function exportTo(context: Context, id: string, folder: string): Promise<void> {
  writing(folder, () => mkdirSync(folder, { mode: 0o700 }))
  try {
    if (!(await recordExport(context, id))) throw new OperatorError(`There is no hold ${id}.`)
    const write = (name: string, bytes: string | Buffer) =>
      writing(folder, () => writeFileSync(join(folder, name), bytes, { mode: 0o600 }))
    let files = 0
    const lost: string[] = []
    const rows = await exportHold(context, id, (name, bytes) => {
      if (bytes === null) return void lost.push(name)
      write(name, bytes)
      files++
    })
    write('records.json', `${JSON.stringify(rows, null, 2)}\n`)
    print(`${rows.length} records and ${files} files are in ${folder}.`)
    for (const name of lost) print(`The file ${name} is missing or damaged.`)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

const FOLDER_ADVICE: Record<string, string> = {
  EEXIST: 'is there already: name a new folder',
  ENOENT: 'has no folder above it: make that first, or correct the path',
  ENOTDIR: 'has a file above it: correct the path',
  ENOSPC:
    'is on a disk that is full: free some space, or name a folder elsewhere; nothing of the export was left there',
}

/** Turns what the system says about the folder of an export into a line for the operator. */
function writing(folder: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const advice = FOLDER_ADVICE[code] ?? `cannot be written (${code}): name a folder that this account may write`
    throw new OperatorError(`${folder} ${advice}.`)
  }
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
