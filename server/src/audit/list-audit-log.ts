import * as z from 'zod/mini'
import type { AuditEntry, LostMail } from '#contract/admin.ts'
import type { Paging } from '#contract/endpoint.ts'
import type { Locale } from '#contract/product.ts'
import { LAST_ID, pageLimit, readCursor, toPage } from '../db/keyset.ts'
import type { Db } from '../db/pool.ts'
import { type Reader, showText } from '../sealing/show-text.ts'
import { type AuditRow, type LostMailRow, listEntries } from './queries.ts'
import { reasonPlace, userSubject } from './record-action.ts'

/** Stands where a stored reason was damaged or moved. */
const REASON_LOST: Record<Locale, string> = {
  en: 'This reason cannot be shown.',
  'fr-CA': 'Ce motif ne peut pas être affiché.',
}

/** What admins did, the latest first, with the reasons opened and the mails that were lost. */
export async function listAuditLog(db: Db, reader: Reader, paging: Paging) {
  const limit = pageLimit(paging)
  const rows = await listEntries(db, readCursor(z.uuid(), paging) ?? LAST_ID, limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => show(reader, row),
  )
}

const show = (reader: Reader, { reason_sealed, lost_mails, ...entry }: AuditRow): AuditEntry => ({
  ...entry,
  reason: reason_sealed && showText(reader, reasonPlace(entry.id), reason_sealed, REASON_LOST),
  lost_mails: lost_mails.map(lostMail),
})

/** `smtp_550` is the mail server's reply code, `bad_address` what no mail can be sent to (`email/transport.ts`). */
const lostMail = ({ id, kind, word, email }: LostMailRow): LostMail => ({
  id,
  to: userSubject(email),
  deleted_peer: kind === 'vehicle_deleted',
  response: word === 'bad_address' ? null : word.replace(/^smtp_/, ''),
})
