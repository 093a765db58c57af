import type { AuditAction } from '#contract/admin.ts'
import { HOLD_DAY_TEXT, HOLD_NO_ACCOUNT_TEXT, holdDays } from '#contract/holds.ts'
import { plateKey } from '#contract/plates.ts'
import type { Province } from '#contract/provinces.ts'
import { type AuditActor, formatUserSubject, recordAction } from '../audit/record-action.ts'
import { hashMessageId } from '../collisions/card-encryption.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { encryptText, type Keyring } from '../encryption/envelope-encryption.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { refuse } from '../refusal.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { type HoldTerms, holdTextData } from './hold-encryption.ts'
import {
  coverAccount,
  coverCards,
  coverPlate,
  findAccountByEmail,
  findToday,
  insertHold,
  listCollisionIds,
  lockHold,
  setHoldLifted,
  setLastDay,
} from './queries.ts'
import { readTerms } from './read-hold.ts'

type HoldContext = Pick<AppContext, 'db' | 'keyring'>
type Admin = NonNullable<AuditActor>
type NewTerms = { reason: string; reference: string; ends_on: string }

/** What is held, as the audit log names it. */
const formatHoldSubject = (held: { email: string } | { plate: string; province: string }): string =>
  'email' in held ? formatUserSubject(held.email) : `${held.plate} · ${held.province}`

/** Refuses a last day that is over, or more than 12 months ahead. */
async function requireLastDay(tx: Db, endsOn: string): Promise<void> {
  const { first, last } = holdDays(await findToday(tx))
  if (endsOn < first || endsOn > last) refuse('invalid_input', { fields: { ends_on: HOLD_DAY_TEXT } })
}

/** Covers the cards of collisions: only the keys reveal which message one belongs to. */
async function coverHeldCards(tx: Db, keyring: Keyring, holdId: string): Promise<void> {
  const ids = await listCollisionIds(tx, holdId)
  const hashes = ids.map((id) => hashMessageId(keyring, id))
  if (hashes.length > 0) await coverCards(tx, holdId, hashes)
}

/**
 * Places a hold on an account (decision 0117): what is deleted of it from now on is kept, until the end of the last day. The
 * person is not notified and notices nothing. Returns the hold's id. Refuses with `invalid_input`.
 */
export const holdAccount = (
  { db, keyring }: HoldContext,
  admin: Admin,
  { email, ends_on, ...terms }: NewTerms & { email: string },
): Promise<string> =>
  inTransaction(db, async (tx) => {
    await requireLastDay(tx, ends_on)
    const account =
      (await findAccountByEmail(tx, email)) ?? refuse('invalid_input', { fields: { email: HOLD_NO_ACCOUNT_TEXT } })
    // its person may have another address by now
    await findOrCreateSubject(tx, account.person_hash ?? hashPerson(keyring, email))
    const id = await insert(
      tx,
      keyring,
      admin,
      { account_id: account.id, plate: null, province: null, ends_on },
      {
        version: 1,
        email,
        ...terms,
      },
    )
    await coverAccount(tx, id, account.id)
    await coverHeldCards(tx, keyring, id)
    await record(tx, keyring, admin, 'hold_placed', id, formatHoldSubject({ email }), terms.reason)
    return id
  })

/** Places a hold on a plate: its registrations, also later ones, and the messages they received. Otherwise as `holdAccount`. */
export const holdPlate = (
  { db, keyring }: HoldContext,
  admin: Admin,
  { plate, province, ends_on, ...terms }: NewTerms & { plate: string; province: Province },
): Promise<string> =>
  inTransaction(db, async (tx) => {
    await requireLastDay(tx, ends_on)
    const id = await insert(
      tx,
      keyring,
      admin,
      { account_id: null, plate, province, ends_on },
      {
        version: 1,
        email: null,
        ...terms,
      },
    )
    await coverPlate(tx, id, plateKey(plate), province)
    await coverHeldCards(tx, keyring, id)
    await record(tx, keyring, admin, 'hold_placed', id, formatHoldSubject({ plate, province }), terms.reason)
    return id
  })

/** Gives a hold in force another last day. Refuses with `not_found`, `hold_over`, `invalid_input`. */
export const extendHold = (
  { db, keyring }: HoldContext,
  admin: Admin,
  { id, ends_on, reason }: { id: string; ends_on: string; reason: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { subject } = await lockHoldInForce(tx, keyring, id)
    await requireLastDay(tx, ends_on)
    await setLastDay(tx, id, ends_on)
    await coverHeldCards(tx, keyring, id)
    await record(tx, keyring, admin, 'hold_extended', id, subject, reason)
  })

/** Ends a hold now; what it kept is destroyed within a minute. Refuses with `not_found`, `hold_over`. */
export const liftHold = (
  { db, keyring }: HoldContext,
  admin: Admin,
  { id, reason }: { id: string; reason: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { subject } = await lockHoldInForce(tx, keyring, id)
    await setHoldLifted(tx, id, encryptText(keyring, holdTextData('lift_reason', id), reason))
    await record(tx, keyring, admin, 'hold_lifted', id, subject, reason)
  })

/** Records that what a hold kept was read, by the command. Returns false when there is no such hold. */
export const recordExport = ({ db, keyring }: HoldContext, id: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const hold = await lockHold(tx, id)
    if (!hold) return false
    await record(tx, keyring, null, 'hold_exported', id, subjectOf(keyring, hold))
    return true
  })

async function lockHoldInForce(tx: Db, keyring: Keyring, id: string) {
  const hold = (await lockHold(tx, id)) ?? refuse('not_found')
  if (!hold.in_force) refuse('hold_over')
  return { hold, subject: subjectOf(keyring, hold) }
}

function subjectOf(keyring: Keyring, hold: NonNullable<Awaited<ReturnType<typeof lockHold>>>): string {
  const { plate, province } = hold
  if (plate !== null && province !== null) return formatHoldSubject({ plate, province })
  return formatHoldSubject({ email: readTerms(keyring, hold)?.email ?? '' })
}

async function insert(
  tx: Db,
  keyring: Keyring,
  admin: Admin,
  held: { account_id: string | null; plate: string | null; province: Province | null; ends_on: string },
  terms: HoldTerms,
): Promise<string> {
  const id = newId()
  const terms_encrypted = encryptText(keyring, holdTextData('terms', id), JSON.stringify(terms))
  await insertHold(tx, { id, ...held, terms_encrypted, placed_by: admin.email })
  return id
}

const record = (
  tx: Db,
  keyring: Keyring,
  actor: AuditActor,
  action: AuditAction,
  subjectId: string,
  subject: string,
  reason?: string,
) => recordAction(tx, keyring, { actor, action, subject, subjectId, reason })
