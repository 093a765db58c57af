import type { AppContext } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Keyring } from '../encryption/envelope-encryption.ts'
import { type BackgroundJob, startIntervalJob } from '../jobs/interval-job.ts'
import { MINUTE_MS } from '../time.ts'
import { decryptColumns, encryptRowCopy } from './hold-encryption.ts'
import { deleteEndedRecords, setEncrypted, takeWaitingRecords } from './queries.ts'

const BATCH_SIZE = 100

/**
 * Encrypts what holds have kept since the last round, and destroys what holds kept that have ended: their files go with the next
 * round of those. Several processes may do so at the same time.
 */
export async function keepRecords({ db, keyring }: Pick<AppContext, 'db' | 'keyring'>): Promise<void> {
  while (await deleteEndedRecords(db, BATCH_SIZE));
  while (await encryptSome(db, keyring));
}

/** Encrypts some copies, with what was encrypted in them decrypted. Returns true when there may be more. */
const encryptSome = (db: Pool, keyring: Keyring): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const records = await takeWaitingRecords(tx, BATCH_SIZE)
    for (const { id, table_name, row } of records)
      await setEncrypted(tx, id, encryptRowCopy(keyring, id, decryptColumns(keyring, table_name, row)))
    return records.length === BATCH_SIZE
  })

/** Keeps the records of legal holds now and every minute, until stopped. */
export const startHoldJob = (context: Pick<AppContext, 'db' | 'keyring' | 'log'>): BackgroundJob =>
  startIntervalJob(context, 'keeping the records of legal holds', MINUTE_MS, () => keepRecords(context))
