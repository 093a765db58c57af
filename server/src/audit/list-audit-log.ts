import * as z from 'zod/mini'
import type { AuditEntry, UndeliveredMail } from '#contract/admin.ts'
import type { PageParams } from '#contract/endpoint.ts'
import type { Locale } from '#contract/product.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type DecryptContext, decryptForDisplay } from '../encryption/decrypt-for-display.ts'
import { type AuditRow, type LostMailRow, listAuditEntries } from './queries.ts'
import { formatUserSubject, reasonAssociatedData } from './record-action.ts'

/** Stands where a stored reason was damaged or moved. */
const UNREADABLE_REASON: Record<Locale, string> = {
  en: 'This reason cannot be shown.',
  'fr-CA': 'Ce motif ne peut pas être affiché.',
}

/** What admins did, the latest first, with the reasons opened and the mails that were lost. */
export async function listAuditLog(db: Db, decryptContext: DecryptContext, paging: PageParams) {
  const limit = pageLimit(paging)
  const rows = await listAuditEntries(db, parseCursor(z.uuid(), paging) ?? MAX_UUID, limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => toAuditEntry(decryptContext, row),
  )
}

const toAuditEntry = (
  decryptContext: DecryptContext,
  { reason_sealed, lost_mails, ...entry }: AuditRow,
): AuditEntry => ({
  ...entry,
  reason:
    reason_sealed &&
    decryptForDisplay(decryptContext, reasonAssociatedData(entry.id), reason_sealed, UNREADABLE_REASON),
  lost_mails: lost_mails.map(toLostMail),
})

/** `smtp_550` is the mail server's reply code, `bad_address` what no mail can be sent to (`email/transport.ts`). */
const toLostMail = ({ id, kind, word, email }: LostMailRow): UndeliveredMail => ({
  id,
  to: formatUserSubject(email),
  deleted_peer: kind === 'vehicle_deleted',
  response: word === 'bad_address' ? null : word.replace(/^smtp_/, ''),
})
