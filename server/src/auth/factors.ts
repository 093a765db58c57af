import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { renderSVG } from 'uqr'
import { PRODUCT } from '#contract/product.ts'
import { FRESH_SESSION_S } from '#contract/profile.ts'
import { newId } from '../db/ids.ts'
import { type Db, violatedConstraint } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { shownAddress } from '../email/shown-address.ts'
import { type AssociatedData, decryptText, encryptText } from '../encryption/envelope-encryption.ts'
import type { Actor } from '../http/actor.ts'
import { MINUTE_S } from '../time.ts'
import { queueNotice } from './account-notices.ts'
import type { AuthContext } from './context.ts'
import { type AuthErrorCode, fail } from './errors.ts'
import { recordEvent } from './events.ts'
import {
  countChallengeFailure,
  deleteAbandonedFactors,
  deleteChallenge,
  deleteFactor,
  deleteUnverifiedFactors,
  ENROLMENT_MINUTES,
  type FactorRow,
  type FactorType,
  findFactor,
  insertChallenge,
  insertFactor,
  listFactors,
  lockChallenge,
  setFactorChallenged,
  setFactorRemoved,
  setPasskey,
  setSessionFactor,
  setSignCount,
  setTotpUsed,
} from './factor-queries.ts'
import { countFactorCode } from './limits.ts'
import { type ClientInfo, findSessionAmr, lockSession } from './session-queries.ts'
import { type IssuedSession, rotateSession } from './sessions.ts'
import { isRecentlyAuthenticated } from './tokens.ts'
import { generateTotpSecret, totpUri, verifyTotp } from './totp.ts'
import { findUser, lockUser } from './user-queries.ts'
import { creationOptions, type Passkey, requestOptions, verifyCreation, verifyRequest } from './webauthn.ts'

// Second factors (decision second-factor, auth-protocol §1.15): each is enrolled, verified by the answer to a challenge, and removed.

/** How many factors an account may have, counting those that are being enrolled. */
const FACTORS_MAX = 10
export const FACTOR_NAME_MAX = 100
const CHALLENGE_VALID_S = 5 * MINUTE_S
/** Wrong responses to one challenge; after that a new one is needed. */
const CHALLENGE_FAILURES_MAX = 5

/** Fails as for a factor of nobody, also when it is somebody else's. */
export const failFactorNotFound = () => fail('mfa_factor_not_found', { status: 404, message: 'Factor not found' })

const totpSecretAssociatedData = (id: string): AssociatedData => ({ table: 'auth.factors', column: 'secret', id })

const isVerified = ({ verified_at }: FactorRow) => verified_at !== null

/**
 * Enrols a second factor, which counts once it has been used. The first one of an account needs a session that a code or link of
 * an email began within 15 minutes: somebody who finds a browser signed in, or knows the password, could otherwise lock its owner
 * out. Any other needs one that was verified with a factor.
 *
 * @throws AuthError `reauthentication_needed`, `insufficient_aal`, `mfa_factor_name_conflict`,
 *   `too_many_enrolled_mfa_factors`
 */
export async function enrolFactor(
  { db, keyring }: AuthContext,
  actor: Actor,
  { type, name, issuer }: { type: FactorType; name: string; issuer: string | undefined },
) {
  const id = newId()
  const secret = type === 'totp' ? await generateTotpSecret() : null
  await inTransaction(db, async (tx) => {
    if (!(await lockUser(tx, actor.id))) fail('user_not_found')
    await deleteAbandonedFactors(tx, actor.id, name)
    const factors = await listFactors(tx, actor.id)
    await assertMayEnrol(tx, actor, factors.some(isVerified))
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
  const totp = secret === null ? undefined : await toTotpJson(secret, issuer, actor.email)
  return { id, type, friendly_name: name, ...(totp && { totp }) }
}

async function assertMayEnrol(tx: Db, actor: Actor, hasFactor: boolean): Promise<void> {
  if (hasFactor) {
    if (actor.factorAgeS === null) {
      fail('insufficient_aal', { status: 403, message: 'AAL2 required to enroll a new factor' })
    }
  } else await assertMailboxSeen(tx, actor, FRESH_SESSION_S)
}

/** Fails unless a code or link of an email began the session so many seconds ago, or less. */
async function assertMailboxSeen(tx: Db, { sessionId }: Actor, maxAgeS: number): Promise<void> {
  if (!isRecentlyAuthenticated(await findSessionAmr(tx, sessionId), maxAgeS, 'otp')) fail('reauthentication_needed')
}

async function toTotpJson(secret: string, issuer: string | undefined, email: string) {
  const uri = await totpUri(secret, issuer || PRODUCT, shownAddress(email))
  // auth-js puts the picture into a data: address as it is, where '#' would end it: colours have names
  return { qr_code: renderSVG(uri, { border: 2, pixelSize: 4, whiteColor: 'white', blackColor: 'black' }), secret, uri }
}

/**
 * Asks for a factor: for a code, for a new passkey, or for the signature of one. The challenge can be used once, for five
 * minutes, and in the session that asked.
 *
 * @throws AuthError `mfa_factor_not_found`, `session_not_found`
 */
export async function challengeFactor(auth: AuthContext, actor: Actor, factorId: string) {
  const factor = (await findFactor(auth.db, actor.id, factorId)) ?? failFactorNotFound()
  const webauthn = factor.factor_type === 'webauthn' ? await prepareCeremony(auth, factor) : undefined
  const { id, expiresAtS } = await inTransaction(auth.db, async (tx) => {
    if (!(await setFactorChallenged(tx, factor.id))) failFactorNotFound()
    const challenge = webauthn?.credential_options.publicKey.challenge ?? null
    const input = { factorId: factor.id, sessionId: actor.sessionId, challenge, validS: CHALLENGE_VALID_S }
    return (await insertChallenge(tx, input)) ?? fail('session_not_found')
  })
  return { id, type: factor.factor_type, expires_at: expiresAtS, ...(webauthn && { webauthn }) }
}

const isPasskey = (factor: FactorRow): factor is FactorRow & Passkey => factor.credential_id !== null

async function prepareCeremony({ config, db }: AuthContext, factor: FactorRow) {
  const passkeys = (await listFactors(db, factor.user_id)).filter(isPasskey)
  if (factor.verified_at === null) {
    const user = (await findUser(db, factor.user_id)) ?? fail('user_not_found')
    const publicKey = await creationOptions(config, user, passkeys)
    return { type: 'create' as const, credential_options: { publicKey } }
  }
  const publicKey = await requestOptions(
    config,
    passkeys.filter(({ id }) => id === factor.id),
  )
  return { type: 'request' as const, credential_options: { publicKey } }
}

/** The response of a person to a challenge. */
export type FactorResponse = {
  challengeId: string
  code: string | undefined
  credential: RegistrationResponseJSON | AuthenticationResponseJSON | undefined
}

type Outcome =
  | { state: 'open'; session: IssuedSession }
  | { state: 'refused'; code: AuthErrorCode; status?: number; message?: string }

/**
 * Verifies a session with a factor: it is of level aal2 afterwards, and has a new refresh token. The first time, the
 * factor starts to count; if it is not the first of the account, only in a session that was verified already. Codes are
 * good once, and wrong ones are counted per person. The first one of the account takes a session as `enrolFactor` does: a passkey
 * that somebody began to enrol is made by whoever answers.
 *
 * A refusal is returned from the transaction, not thrown in it: what it counts must be committed.
 *
 * @throws AuthError `mfa_factor_not_found`, `mfa_challenge_expired`, `mfa_verification_failed`, `insufficient_aal`,
 *   `reauthentication_needed`, `session_not_found`, `over_request_rate_limit`
 */
export async function verifyFactor(
  auth: AuthContext,
  actor: Actor,
  factorId: string,
  response: FactorResponse,
  clientInfo: ClientInfo,
): Promise<IssuedSession> {
  const { db, keyring, live, outbox } = auth
  const known = (await findFactor(db, actor.id, factorId)) ?? failFactorNotFound()
  // only codes can be guessed
  const verifiedSessionId = actor.factorAgeS === null ? null : actor.sessionId
  const guess = { userId: actor.id, verifiedSessionId, ip: clientInfo.ip }
  const resetFailures = known.factor_type === 'totp' ? await countFactorCode(auth, guess) : undefined
  const outcome = await inTransaction(db, async (tx): Promise<Outcome> => {
    const user = await lockUser(tx, actor.id)
    const session = user && (await lockSession(tx, actor.sessionId))
    const factor = session && (await findFactor(tx, actor.id, factorId))
    if (!factor) return { state: 'refused', code: 'session_not_found' }
    const challenge = await lockChallenge(tx, { id: response.challengeId, factorId, sessionId: session.id })
    if (!challenge) {
      const message = 'MFA factor with the provided challenge ID not found'
      return { state: 'refused', code: 'mfa_factor_not_found', message }
    }
    if (challenge.expired || challenge.failures >= CHALLENGE_FAILURES_MAX) {
      await deleteChallenge(tx, challenge.id)
      return { state: 'refused', code: 'mfa_challenge_expired' }
    }
    if (factor.verified_at === null && actor.factorAgeS === null) {
      // somebody else with the password may have begun to enrol it before the account had another one
      if ((await listFactors(tx, user.id)).some(isVerified)) {
        const message = 'AAL2 required to verify a new factor'
        return { state: 'refused', code: 'insufficient_aal', status: 403, message }
      }
      await assertMailboxSeen(tx, actor, FRESH_SESSION_S + ENROLMENT_MINUTES * MINUTE_S)
    }
    const event = { userId: user.id, sessionId: session.id, clientInfo }
    if (!(await acceptResponse(auth, tx, factor, challenge.challenge, response))) {
      await countChallengeFailure(tx, challenge.id)
      await recordEvent(tx, keyring, { ...event, type: 'factor_failed' })
      return { state: 'refused', code: 'mfa_verification_failed' }
    }
    await deleteChallenge(tx, challenge.id)
    await deleteUnverifiedFactors(tx, user.id, factor.factor_type)
    await setSessionFactor(tx, session.id, factor.id)
    const isNew = factor.verified_at === null
    await recordEvent(tx, keyring, { ...event, type: isNew ? 'factor_added' : 'factor_used' })
    if (isNew) await queueNotice(tx, user.id, 'factor_changed', { change: 'added' })
    const renewed = await rotateSession(tx, auth.keys, session.id)
    return { state: 'open', session: { id: session.id, amr: session.amr, user, ...renewed } }
  }).catch(refuseForeignPasskey)
  if (outcome.state === 'refused') return fail(outcome.code, outcome)
  // the streams of sessions without the factor end at once
  if (known.verified_at === null) live.publishSessionChange(actor.id)
  await resetFailures?.()
  outbox.wake()
  return outcome.session
}

/** An authenticator that another account has enrolled under the same id: copied, or made up. */
function refuseForeignPasskey(error: unknown): Outcome {
  if (violatedConstraint(error) === 'factors_credential_id_key') {
    return { state: 'refused', code: 'mfa_verification_failed' }
  }
  throw error
}

/** Checks a response, and stores what makes it good only once. */
async function acceptResponse(
  { config, keyring }: AuthContext,
  tx: Db,
  factor: FactorRow,
  challenge: string | null,
  { code = '', credential }: FactorResponse,
): Promise<boolean> {
  if (factor.secret_encrypted) {
    const secret = decryptText(keyring, totpSecretAssociatedData(factor.id), factor.secret_encrypted)
    const step = await verifyTotp(secret, code, Date.now() / 1000, factor.last_step)
    if (step !== null) await setTotpUsed(tx, factor.id, step)
    return step !== null
  }
  if (!challenge || !credential) return false
  if (factor.verified_at === null) {
    const passkey = isCreation(credential) ? await verifyCreation(config, challenge, credential) : null
    if (passkey) await setPasskey(tx, factor.id, passkey)
    return passkey !== null
  }
  if (isCreation(credential)) return false
  // a used passkey has all of its fields (auth/schema.sql)
  const count = await verifyRequest(config, challenge, credential, factor as Passkey)
  if (count !== null) await setSignCount(tx, factor.id, count)
  return count !== null
}

const isCreation = (
  credential: RegistrationResponseJSON | AuthenticationResponseJSON,
): credential is RegistrationResponseJSON => 'attestationObject' in credential.response

/**
 * Removes a factor; sessions verified with it are of level aal1 again. One that counts needs a session that was verified
 * with a factor.
 *
 * @throws AuthError `session_not_found`, `mfa_factor_not_found`, `insufficient_aal`
 */
export async function removeFactor(
  { db, keyring, outbox }: AuthContext,
  actor: Actor,
  factorId: string,
  clientInfo: ClientInfo,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await lockUser(tx, actor.id)
    // 'This wasn't me' may have ended it while this waited for the account
    if (!user || !(await lockSession(tx, actor.sessionId))) fail('session_not_found')
    const factor = (await findFactor(tx, actor.id, factorId)) ?? failFactorNotFound()
    if (factor.verified_at !== null && actor.factorAgeS === null) {
      fail('insufficient_aal', { message: 'AAL2 required to unenroll verified factor' })
    }
    if (factor.verified_at === null) return deleteFactor(tx, factor.id)
    await setFactorRemoved(tx, factor.id)
    await recordEvent(tx, keyring, { userId: actor.id, sessionId: actor.sessionId, clientInfo, type: 'factor_removed' })
    await queueNotice(tx, actor.id, 'factor_changed', { change: 'removed' })
  })
  outbox.wake()
}
