import { renderSVG } from 'uqr'
import { PRODUCT } from '#contract/product.ts'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { newId } from '../../db/ids.ts'
import type { Db } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import { shownAddress } from '../../email/shown-address.ts'
import { type AssociatedData, encryptText } from '../../encryption/envelope-encryption.ts'
import type { Actor } from '../../http/actor.ts'
import type { AuthContext } from '../context.ts'
import { fail } from '../errors.ts'
import { findSessionAmr } from '../session-queries.ts'
import { isRecentlyAuthenticated } from '../tokens.ts'
import { lockUser } from '../user-queries.ts'
import { deleteAbandonedFactors, type FactorType, insertFactor, listFactors } from './factor-queries.ts'
import { generateTotpSecret, totpUri } from './totp.ts'

/** How many factors an account may have, counting those that are being enrolled. */
const FACTORS_MAX = 10
export const FACTOR_NAME_MAX = 100

type Enrolment = {
  id: string
  type: FactorType
  friendly_name: string
  totp?: { qr_code: string; secret: string; uri: string }
}

export const totpSecretAssociatedData = (id: string): AssociatedData => ({
  table: 'auth.factors',
  column: 'secret',
  id,
})

/**
 * Enrols a second factor, which counts once it has been used. The first one of an account needs a session that began within
 * 15 minutes: somebody who finds a browser signed in could otherwise lock its owner out. Any other needs one that was
 * verified with a factor.
 *
 * @throws AuthError `reauthentication_needed`, `insufficient_aal`, `mfa_factor_name_conflict`,
 *   `too_many_enrolled_mfa_factors`
 */
export async function enrolFactor(
  { db, keyring }: AuthContext,
  actor: Actor,
  { type, name, issuer }: { type: FactorType; name: string; issuer: string | undefined },
): Promise<Enrolment> {
  const id = newId()
  const secret = type === 'totp' ? generateTotpSecret() : null
  await inTransaction(db, async (tx) => {
    await lockUser(tx, actor.id)
    await deleteAbandonedFactors(tx, actor.id, name)
    const factors = await listFactors(tx, actor.id)
    await assertMayEnrol(
      tx,
      actor,
      factors.some(({ verified_at }) => verified_at !== null),
    )
    if (factors.some(({ friendly_name }) => friendly_name === name)) {
      fail('mfa_factor_name_conflict', {
        message: `A factor with the friendly name "${name}" for this user already exists`,
      })
    }
    if (factors.length >= FACTORS_MAX) fail('too_many_enrolled_mfa_factors')
    await insertFactor(tx, {
      id,
      user_id: actor.id,
      factor_type: type,
      friendly_name: name,
      secret_encrypted: secret === null ? null : encryptText(keyring, totpSecretAssociatedData(id), secret),
    })
  })
  return { id, type, friendly_name: name, ...(secret !== null && { totp: toTotpJson(secret, issuer, actor.email) }) }
}

async function assertMayEnrol(tx: Db, actor: Actor, hasFactor: boolean): Promise<void> {
  if (hasFactor) {
    if (actor.factorAgeS === null) {
      fail('insufficient_aal', { status: 403, message: 'AAL2 required to enroll a new factor' })
    }
  } else if (!isRecentlyAuthenticated(await findSessionAmr(tx, actor.sessionId), FRESH_SESSION_S)) {
    fail('reauthentication_needed')
  }
}

function toTotpJson(secret: string, issuer: string | undefined, email: string) {
  const uri = totpUri(secret, issuer || PRODUCT, shownAddress(email))
  // auth-js puts the picture into a data: address as it is, where '#' would end it: colours have names
  return { qr_code: renderSVG(uri, { border: 2, pixelSize: 4, whiteColor: 'white', blackColor: 'black' }), secret, uri }
}
