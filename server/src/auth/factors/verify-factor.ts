import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Db } from '../../db/pool.ts'
import { violatedConstraint } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import { decryptText } from '../../encryption/envelope-encryption.ts'
import type { Actor } from '../../http/actor.ts'
import type { AuthContext } from '../context.ts'
import type { IssuedSession } from '../create-session.ts'
import { type AuthErrorCode, fail } from '../errors.ts'
import { recordEvent } from '../events/record-event.ts'
import { rotateSession } from '../refresh-session.ts'
import { type ClientInfo, lockSession } from '../session-queries.ts'
import { lockUser } from '../user-queries.ts'
import { failFactorNotFound } from './challenge-factor.ts'
import { totpSecretAssociatedData } from './enrol-factor.ts'
import { queueFactorMail } from './factor-mail.ts'
import {
  countChallengeFailure,
  deleteChallenge,
  deleteUnverifiedFactors,
  type FactorRow,
  findFactor,
  hasVerifiedFactor,
  lockChallenge,
  setPasskey,
  setSessionFactor,
  setSignCount,
  setTotpUsed,
} from './factor-queries.ts'
import { verifyTotp } from './totp.ts'
import { type Passkey, verifyCreation, verifyRequest } from './webauthn.ts'

/** The response of a person to a challenge. */
export type FactorResponse = {
  challengeId: string
  code: string | undefined
  credential: RegistrationResponseJSON | AuthenticationResponseJSON | undefined
}

/** Wrong responses to one challenge; after that a new one is needed. */
const CHALLENGE_FAILURES_MAX = 5

type Outcome =
  | { state: 'open'; session: IssuedSession }
  | { state: 'refused'; code: AuthErrorCode; status?: number; message?: string }

/**
 * Verifies a session with a factor: it is of level aal2 afterwards, and has a new refresh token. The first time, the
 * factor starts to count; if it is not the first of the account, only in a session that was verified already. Codes are
 * good once, and wrong ones are counted per person.
 *
 * A refusal is returned from the transaction, not thrown in it: what it counts must be committed.
 *
 * @throws AuthError `mfa_factor_not_found`, `mfa_challenge_expired`, `mfa_verification_failed`, `insufficient_aal`,
 *   `session_not_found`, `over_request_rate_limit`
 */
export async function verifyFactor(
  auth: AuthContext,
  actor: Actor,
  factorId: string,
  response: FactorResponse,
  clientInfo: ClientInfo,
): Promise<IssuedSession> {
  const { db, keyring, limits, live, outbox } = auth
  const known = (await findFactor(db, actor.id, factorId)) ?? failFactorNotFound()
  // only codes can be guessed
  const verifiedSessionId = actor.factorAgeS === null ? null : actor.sessionId
  const guess = { userId: actor.id, verifiedSessionId, ip: clientInfo.ip }
  const resetFailures = known.factor_type === 'totp' ? await limits.factorCode(guess) : undefined
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
    // somebody else with the password may have begun to enrol it before the account had another one
    if (factor.verified_at === null && actor.factorAgeS === null && (await hasVerifiedFactor(tx, user.id))) {
      const message = 'AAL2 required to verify a new factor'
      return { state: 'refused', code: 'insufficient_aal', status: 403, message }
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
    if (isNew) await queueFactorMail(tx, user.id, 'added')
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
    const step = verifyTotp(secret, code, Date.now() / 1000, factor.last_step)
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
