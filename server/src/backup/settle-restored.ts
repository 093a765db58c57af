import { deleteEveryLink } from '../auth/link-queries.ts'
import { deleteEverySession } from '../auth/session-queries.ts'
import type { Db } from '../db/pool.ts'
import { settleWaitingMails } from '../email/queries.ts'
import { recordRestoredBackup } from '../jobs/run-record.ts'
import { deleteDueSteps } from '../messages/escalation-queries.ts'
import { deleteAccountData } from '../profile/delete-account.ts'
import { deleteVehicles } from '../vehicles/queries.ts'
import { withdrawFromDisputes } from '../vehicles/withdraw-from-disputes.ts'
import { listTables } from './catalog.ts'
import type { DatedDeletion, Deletion } from './deletion-journal.ts'
import type { Manifest } from './manifest.ts'
import { deleteRows, insertDeletions, markNothingCopied } from './queries.ts'

export type Settled = { sessions: number; deletions: number; mails: number }

/**
 * Brings a restored database to today: deletes again what was deleted since, in the way it was, ends all sessions and links,
 * and sends nothing that may have been sent already. The database has the current schema.
 */
export async function settleRestored(tx: Db, backup: Manifest, deletions: DatedDeletion[]): Promise<Settled> {
  await recordRestoredBackup(tx, backup)
  await recordDeletions(tx, deletions)
  await deleteEveryLink(tx)
  const sessions = await deleteEverySession(tx)
  const deleted = await repeatDeletions(tx, deletions)
  await deleteDueSteps(tx)
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
