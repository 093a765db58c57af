import type { AuditEntry, UndeliveredMail } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import { m } from '#texts/messages.js'
import { MAX_UUID, readPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type DecryptContext, decryptForDisplay } from '../encryption/decrypt-for-display.ts'
import { type AuditRow, type LostMailRow, listAuditEntries } from './queries.ts'
import { formatUserSubject, reasonAssociatedData } from './record-action.ts'

/** Decrypts the reason of an entry for its reader; null when it has none. */
export const showAuditReason = (context: DecryptContext, id: string, encrypted: Buffer | null): string | null =>
  encrypted && decryptForDisplay(context, reasonAssociatedData(id), encrypted, m.unreadable_reason)

/** Lists what admins did, the latest first, with the reasons decrypted and the emails that were lost. */
export const listAuditLog = (db: Db, decryptContext: DecryptContext, paging: PageParams) =>
  readPage(
    paging,
    (before, limit) => listAuditEntries(db, before ?? MAX_UUID, limit),
    (row) => toAuditEntry(decryptContext, row),
  )

const toAuditEntry = (
  decryptContext: DecryptContext,
  { reason_encrypted, lost_mails, ...entry }: AuditRow,
): AuditEntry => ({
  ...entry,
  reason: showAuditReason(decryptContext, entry.id, reason_encrypted),
  lost_mails: lost_mails.map(toLostMail),
})

/**
 * Converts an error of `email/transport.ts`, or why the email came back: `smtp_550` has the mail server's reply code, `bad_address` is unusable.
 */
const toLostMail = ({ id, kind, last_error, email }: LostMailRow): UndeliveredMail => ({
  id,
  to: formatUserSubject(email),
  deleted_peer: kind === 'vehicle_deleted',
  response: last_error === 'bad_address' ? null : last_error.replace(/^smtp_/, ''),
})
