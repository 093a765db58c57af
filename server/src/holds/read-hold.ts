import * as z from 'zod/mini'
import type { PageParams } from '#contract/endpoint.ts'
import type { Hold } from '#contract/holds.ts'
import type { Locale } from '#contract/product.ts'
import { MAX_UUID, pageLimit, parseCursor, toPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { type DecryptContext, decryptForDisplay, reportUndecryptable } from '../encryption/decrypt-for-display.ts'
import { DecryptionError, decryptText, type Keyring } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { type HoldTerms, holdTextData } from './hold-encryption.ts'
import { findHold, findHolds, type HoldRow } from './queries.ts'

/** Shown in place of texts that were damaged, or whose key was lost. */
const UNREADABLE: Record<Locale, string> = {
  en: 'This text cannot be shown.',
  'fr-CA': 'Ce texte ne peut pas être affiché.',
}

/** Reads what an admin wrote when placing a hold; null when it was damaged. */
export function readTerms(
  keyring: Keyring,
  { id, terms_encrypted }: Pick<HoldRow, 'id' | 'terms_encrypted'>,
): HoldTerms | null {
  try {
    return JSON.parse(decryptText(keyring, holdTextData('terms', id), terms_encrypted)) as HoldTerms
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    return null
  }
}

function toHold(context: DecryptContext, row: HoldRow): Hold {
  const terms = readTerms(context.keyring, row)
  if (!terms) reportUndecryptable(context.log, holdTextData('terms', row.id))
  const unreadable = UNREADABLE[context.locale]
  const { account_id, account_exists, terms_encrypted: _, lift_reason_encrypted, ...hold } = row
  return {
    ...hold,
    account: account_id === null ? null : { id: account_id, email: terms?.email ?? unreadable, exists: account_exists },
    reason: terms?.reason ?? unreadable,
    reference: terms?.reference ?? unreadable,
    lift_reason:
      lift_reason_encrypted &&
      decryptForDisplay(context, holdTextData('lift_reason', row.id), lift_reason_encrypted, UNREADABLE),
  }
}

/** Lists holds, the latest first. */
export async function listHolds(
  db: Db,
  context: DecryptContext,
  { state, ...paging }: PageParams & { state: 'in_force' | 'ended' },
) {
  const limit = pageLimit(paging)
  const before = parseCursor(z.uuid(), paging) ?? MAX_UUID
  const rows = await findHolds(db, state === 'in_force', before, limit + 1)
  return toPage(
    rows,
    limit,
    (row) => row.id,
    (row) => toHold(context, row),
  )
}

/** Returns one hold. Refuses with `not_found`. */
export const getHold = async (db: Db, context: DecryptContext, id: string): Promise<Hold> =>
  toHold(context, (await findHold(db, id)) ?? refuse('not_found'))
