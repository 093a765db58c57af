import { URGENT_REASONS } from '#contract/messages.ts'
import type { BrowserPushSubscription } from '#contract/push.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Pool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { decryptPerson, decryptReply, splitSender } from '../messages/message-encryption.ts'
import { remindPeople } from '../messages/nudge-message.ts'
import { deleteOrphans } from '../messages/queries.ts'
import { getBlockSecret } from '../messages/send-limits.ts'
import { hasValidKeys, parsePushServiceUrl } from '../push/send-push.ts'
import { loadVapidKeys } from '../push/vapid.ts'
import { refuse } from '../refusal.ts'
import { findReceipt, saveReceiptPush, takeOldReceipts } from './queries.ts'
import { encryptReceipt, hashReceipt } from './secrets.ts'

const stateOf = ({ replied_at }: { replied_at: string | null }) =>
  (replied_at === null ? 'left' : 'answered') as 'left' | 'answered'

/** Reads what became of a message, for its sender. Refuses with `not_found`. */
export async function readReceipt({ db, keyring, log }: AppContext, receipt: string) {
  const row = (await findReceipt(db, hashReceipt(keyring, receipt))) ?? refuse('not_found')
  const context = { keyring, log, locale: row.language === 'fr' ? 'fr-CA' : 'en' } as const
  const reply = decryptReply(context, { id: row.message_id, vehicleId: row.addressed_to }, row.reply_encrypted)
  const { reason, inserted_at: left_at, nudged, reply_answer: answer, replied_at } = row
  return { state: stateOf(row), reason, left_at, nudged, reply, answer, replied_at }
}

/** Reads whether a message has an answer. Refuses with `not_found`. */
export async function readReceiptState({ db, keyring }: AppContext, receipt: string) {
  return { state: stateOf((await findReceipt(db, hashReceipt(keyring, receipt))) ?? refuse('not_found')) }
}

/**
 * Asks the people of the vehicle once more for the guest who left a message (decision vehicle-people), if it may be asked now; otherwise
 * nothing happens. Refuses with `not_found`.
 */
export async function nudgeByReceipt({ db, keyring, live, log, outbox }: AppContext, receipt: string): Promise<void> {
  const reminded = await inTransaction(db, async (tx) => {
    const row = (await findReceipt(tx, hashReceipt(keyring, receipt))) ?? refuse('not_found')
    const ref = { id: row.message_id, vehicleId: row.addressed_to }
    const sender = decryptPerson({ keyring, log }, 'sender_person', ref, row.sender_person_encrypted)
    const { person, network } = splitSender(sender)
    return remindPeople(tx, row.message_id, {
      id: null,
      person,
      blockSecret: person && getBlockSecret(keyring, person),
      networkSecret: network && getBlockSecret(keyring, network),
      isUrgent: URGENT_REASONS.includes(row.reason),
    })
  })
  live.publish(reminded ?? [])
  outbox.wake()
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
