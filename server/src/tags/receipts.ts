import type { BrowserPushSubscription } from '#contract/push.ts'
import type { Receipt } from '#contract/tags.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { decryptReply } from '../messages/message-encryption.ts'
import { deleteOrphans } from '../messages/queries.ts'
import { hasValidKeys, parsePushServiceUrl } from '../push/send-push.ts'
import { loadVapidKeys } from '../push/vapid.ts'
import { refuse } from '../refusal.ts'
import { findReceipt, saveReceiptPush, takeOldReceipts } from './queries.ts'
import { encryptReceipt, hashReceipt } from './secrets.ts'

/** Reads what became of a message, for its sender. Refuses with `not_found`. */
export async function readReceipt({ config, db, keyring, log }: AppContext, receipt: string): Promise<Receipt> {
  const row = (await findReceipt(db, hashReceipt(keyring, receipt))) ?? refuse('not_found')
  const locale = row.language === 'fr' ? 'fr-CA' : 'en'
  return {
    state: row.replied_at === null ? 'left' : 'answered',
    reason: row.reason,
    language: row.language,
    left_at: row.inserted_at,
    reply: decryptReply(
      { keyring, log, locale },
      { id: row.message_id, vehicleId: row.addressed_to },
      row.reply_encrypted,
    ),
    answer: row.reply_answer,
    replied_at: row.replied_at,
    push_key: loadVapidKeys(config)?.publicKey ?? null,
  }
}

/**
 * Registers one device to be notified when the owner answers. Refuses with `not_found`, `push_off`, `push_service_unknown`
 * and `invalid_input`.
 */
export async function subscribeToReceipt(
  { config, db, keyring }: AppContext,
  receipt: string,
  device: BrowserPushSubscription,
): Promise<void> {
  if (!loadVapidKeys(config)) refuse('push_off')
  if (!parsePushServiceUrl(device.endpoint, config.PUSH_HOSTS)) refuse('push_service_unknown')
  if (!hasValidKeys(device.keys)) refuse('invalid_input', { fields: { keys: { code: 'browser_keys' } } })
  const { id: receiptId } = (await findReceipt(db, hashReceipt(keyring, receipt))) ?? refuse('not_found')
  const id = newId()
  await saveReceiptPush(db, { id, receiptId, encryptedReceipt: encryptReceipt(keyring, id, receipt), device })
}

/** Deletes the receipts whose period is over, and the messages that nobody else has. */
export const deleteOldReceipts = (db: Pool): Promise<void> =>
  inTransaction(db, async (tx) => deleteOrphans(tx, await takeOldReceipts(tx)))
