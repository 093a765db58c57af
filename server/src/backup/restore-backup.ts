import { deleteEverySession } from '../auth/session-queries.ts'
import { makeMigrationsTable, makeTables, runMigration } from '../db/migrate.ts'
import { type Db, isUnavailable, type Pool, type Transaction } from '../db/pool.ts'
import { type Migration, readMigrations } from '../db/schema-files.ts'
import { settleWaitingMails } from '../email/queries.ts'
import type { MasterKeys } from '../encryption/envelope-encryption.ts'
import { verifyKeys } from '../encryption/verify-keys.ts'
import type { FileStore } from '../files/file-store.ts'
import { recordRestoredBackup } from '../jobs/run-record.ts'
import { deleteAccountData } from '../profile/delete-account.ts'
import { deleteVehicles } from '../vehicles/queries.ts'
import { withdrawFromDisputes } from '../vehicles/withdraw-from-disputes.ts'
import type { Identity } from './age.ts'
import { type Backup, readContent, tablePath } from './backup-files.ts'
import { listForeignKeys, listFunctions, listOtherConnections, listTables, lockMigrations, quote } from './catalog.ts'
import { type DatedDeletion, type Deletion, readJournal } from './deletion-journal.ts'
import { BackupError, type Manifest } from './manifest.ts'
import { deleteRows, insertDeletions, listEveryDeletion, markNothingCopied } from './queries.ts'
import { isStoreUsed, restoreFiles, tryEach } from './restore-files.ts'
import { explainingErrors, listStoredFiles } from './stored-files.ts'
import { loadTable } from './table-files.ts'
import { verifyBackup } from './verify-backup.ts'

type Settled = { sessions: number; deletions: number; mails: number }

/**
 * Brings a restored database to today: deletes again what was deleted since, in the way it was, ends all sessions and links,
 * and sends nothing that may have been sent already. The database has the current schema.
 */
async function settleRestored(tx: Db, backup: Manifest, deletions: DatedDeletion[]): Promise<Settled> {
  await recordRestoredBackup(tx, backup)
  await recordDeletions(tx, deletions)
  const sessions = await deleteEverySession(tx)
  const deleted = await repeatDeletions(tx, deletions)
  // last: settling a dispute again queues what its people have read
  const mails = await settleWaitingMails(tx)
  return { sessions, deletions: deleted, mails }
}

/**
 * Records the deletions under their days, those too whose rows this backup does not have: the files of the days are written from
 * the table, and a later backup may have the rows. Before any is repeated, which would record it under today.
 */
async function recordDeletions(tx: Db, deletions: DatedDeletion[]) {
  for (const [day, ofDay] of Map.groupBy(deletions, (deletion) => deletion.day)) await insertDeletions(tx, day, ofDay)
  await markNothingCopied(tx)
}

async function repeatDeletions(tx: Db, deletions: Deletion[]): Promise<number> {
  const byTable = Map.groupBy(deletions, ({ table_name }) => table_name)
  const idsIn = async (table: string): Promise<string[]> => {
    const ids = [...new Set((byTable.get(table) ?? []).map(({ row_id }) => row_id))]
    const rows = await tx<{ id: string }[]>`select id from ${tx(table)} where id = any(${ids}::uuid[]) order by id`
    return rows.map(({ id }) => id)
  }
  const accounts = await idsIn('auth.users')
  for (const id of accounts) await deleteAccountData(tx, id)
  const vehicles = await idsIn('public.vehicles')
  await withdrawFromDisputes(tx, vehicles)
  await deleteVehicles(tx, vehicles)
  let count = accounts.length + vehicles.length
  const known = new Set((await listTables(tx)).map(({ name }) => name))
  for (const table of byTable.keys()) {
    if (table === 'auth.users' || table === 'public.vehicles' || !known.has(table)) continue
    // what went with an account or a vehicle is gone by now
    count += await deleteRows(tx, table, await idsIn(table))
  }
  return count
}

export type RestoreOptions = {
  /** Whether a database that holds something may be emptied. */
  force?: boolean
  /** Folders with further files of the journal of deletions. */
  journals?: string[]
  /** Takes a line about what is left to do by hand. */
  warn?: (line: string) => void
  /** Whether an empty database may take over a store that another one uses, or has used. */
  takeOverStore?: boolean
  /** What opens an encrypted backup. */
  identity?: Identity | undefined
  migrations?: Migration[]
}
export type Restored = Settled & { manifest: Manifest; journalDays: number }

type Target = { db: Pool; files: FileStore; keys: MasterKeys }

/**
 * Restores a backup into an empty database and store: files first, then the database in one transaction, so that either all of
 * it is there or nothing. Files that no row names any more are deleted last; a store that fails by then costs a warning. The
 * servers must be stopped.
 *
 * @throws BackupError, MasterKeyError with one line that says what is wrong
 */
export async function restoreBackup(
  { db, files: store, keys }: Target,
  folder: string,
  {
    force = false,
    journals = [],
    warn = () => {},
    takeOverStore = true,
    identity,
    migrations = readMigrations(),
  }: RestoreOptions = {},
): Promise<Restored> {
  const files = explainingErrors(store)
  const backup = await verifyBackup(folder, () => keys, identity)
  if (!backup.manifest)
    throw new BackupError(
      'The backup is encrypted: name the file with its secret key, which platenote backup --new-key wrote, with --identity.',
    )
  const { manifest } = backup
  assertKnownSchema(manifest, migrations)
  const journal = await readJournal(files, manifest.startedAt, journals)
  // refused before anything is written
  await db.begin('read only', (tx) => assertFree(tx, force))
  if (!takeOverStore && (await isEmpty(db)) && (await isStoreUsed(files, backup)))
    throw new BackupError(
      'The database is empty, and the store of photos has been used before. For a drill, name a store of its own in STORAGE_URL or DATA_DIR: a second database would delete files and deletions of the first. If the database of this store is lost, say --take-over-store.',
    )

  const stored = restoreFiles(files, backup)
  /** What the transaction is about to commit, once nothing else is left to do. */
  const end: { loaded?: Settled & { unnamed: Set<string> } } = {}
  try {
    await stored.write()
    await db.begin(async (tx) => {
      await tx.setStatementTimeout(0)
      await tx`set local lock_timeout = 0`
      await tx`set local idle_in_transaction_session_timeout = 0`
      if (!(await lockMigrations(tx)))
        throw new BackupError('A server of PlateNote is starting on this database. Stop it, and run the command again.')
      await assertFree(tx, force)
      const { deletions, names } = await empty(tx)
      await load(tx, backup, migrations)
      await verifyKeys(tx, keys)
      const newest = newestMigration(manifest)
      await runMigrations(
        tx,
        migrations.filter(({ number }) => number > newest),
      )
      const settled = await settleRestored(tx, manifest, [...journal.deletions, ...deletions])
      for await (const name of listStoredFiles(tx)) names.delete(name)
      end.loaded = { ...settled, unnamed: names }
    })
  } catch (error) {
    // a commit without an answer may have happened: files that rows may name stay
    if (end.loaded && isUnavailable(error))
      throw new BackupError(
        'The connection to the database was lost at the very end, so that it is not known whether everything was restored. Once it answers, run the command again with --force and --take-over-store.',
      )
    const left = await stored.takeBack()
    if (left) warn(`Files of this restore that could not be taken back: ${left}. The next restore finds them.`)
    throw error
  }
  const { unnamed, ...settled } = end.loaded!
  const left = await tryEach(unnamed, (name) => files.remove(name))
  if (left)
    warn(
      `Files of the database before that could not be deleted: ${left}. No row names them any more; nothing opens them.`,
    )
  return { ...settled, manifest, journalDays: journal.days }
}

/** Refuses a backup of a newer version, or of one whose migrations are not ours. */
function assertKnownSchema({ migrations: applied, version }: Manifest, migrations: Migration[]) {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const { number, name, sha256 } of applied) {
    const ours = known.get(number)
    if (!ours)
      throw new BackupError(
        `The backup was made by PlateNote ${version}, whose database has migration ${name}, which this version does not know. Restore it with that version or a newer one.`,
      )
    if (ours.name !== name || ours.sha256 !== sha256)
      throw new BackupError(
        `The backup has another migration ${name} than this version. Restore it with PlateNote ${version}.`,
      )
  }
}

const isEmpty = (db: Pool): Promise<boolean> => db.begin('read only', async (tx) => (await listTables(tx)).length === 0)

async function assertFree(tx: Transaction, force: boolean) {
  const others = await listOtherConnections(tx)
  if (others.length > 0)
    throw new BackupError(
      `Something is connected to this database (${others.join(', ')}): stop all servers of PlateNote, workers too, and end what else uses it. A pooler keeps connections for a while: restore past it.`,
    )
  if (!force && (await listTables(tx)).length > 0)
    throw new BackupError(
      'The database is not empty. Restore into an empty one, or say --force to delete everything in this one before.',
    )
}

/** Takes everything of PlateNote away, and returns what the lost database still knew: deletions, and its files. */
async function empty(tx: Transaction): Promise<{ deletions: DatedDeletion[]; names: Set<string> }> {
  const tables = new Set((await listTables(tx)).map(({ name }) => name))
  const deletions = tables.has('public.deletions') ? await listEveryDeletion(tx) : []
  const names = new Set<string>()
  if (tables.has('public.attachments') && tables.has('public.dispute_documents'))
    for await (const name of listStoredFiles(tx)) names.add(name)
  for (const table of tables) await tx.unsafe(`drop table ${quote(table)} cascade`)
  for (const name of await listFunctions(tx)) await tx.unsafe(`drop function if exists ${name} cascade`)
  await tx`drop schema if exists auth cascade`
  return { deletions, names }
}

const newestMigration = ({ migrations }: Manifest): number => migrations.at(-1)!.number

async function runMigrations(tx: Transaction, migrations: Migration[]) {
  for (const migration of migrations) {
    await runMigration(tx, migration)
    // each had a transaction of its own once: what waits for its end happens now
    await tx`set constraints all immediate`
    await tx`set constraints all deferred`
  }
}

/** Makes the tables as they were on the day of the backup, and fills them. */
async function load(tx: Transaction, backup: Backup, migrations: Migration[]) {
  const { manifest } = backup
  const { tables } = manifest
  const newest = newestMigration(manifest)
  if (migrations.at(-1)!.number === newest) await makeTables(tx, migrations)
  else {
    await makeMigrationsTable(tx)
    await runMigrations(
      tx,
      migrations.filter(({ number }) => number <= newest),
    )
  }
  await tx`delete from schema_migrations`
  // rows come table by table, before those they refer to; and what triggers did is in the backup
  const references = await listForeignKeys(tx)
  for (const { table, name } of references)
    await tx.unsafe(`alter table ${quote(table)} drop constraint ${quote(name)}`)
  const made = await listTables(tx)
  assertSameTables(made, tables)
  for (const { name } of made) await tx.unsafe(`alter table ${quote(name)} disable trigger user`)
  for (const { name, columns, rows } of tables) {
    const loaded = await loadTable(tx, { name, columns }, readContent(backup, tablePath(name)))
    if (loaded !== rows) throw new BackupError(`The table ${name} has ${loaded} rows instead of ${rows}.`)
  }
  for (const { name } of made) await tx.unsafe(`alter table ${quote(name)} enable trigger user`)
  for (const { table, name, definition } of references)
    await tx.unsafe(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`)
}

function assertSameTables(made: { name: string; columns: string[] }[], stored: Manifest['tables']) {
  const list = (tables: { name: string; columns: string[] }[]) =>
    JSON.stringify(tables.map(({ name, columns }) => [name, columns.toSorted()]).sort())
  if (list(made) !== list(stored))
    throw new BackupError('The tables of the backup are not those of its migrations. Take another backup.')
}
