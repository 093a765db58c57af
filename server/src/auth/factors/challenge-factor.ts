import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { MINUTE_S } from '../../time.ts'
import type { AuthContext } from '../context.ts'
import { fail } from '../errors.ts'
import { findUser } from '../user-queries.ts'
import {
  type FactorRow,
  type FactorType,
  findFactor,
  insertChallenge,
  listFactors,
  setFactorChallenged,
} from './factor-queries.ts'
import { creationOptions, type Passkey, requestOptions } from './webauthn.ts'

const CHALLENGE_VALID_S = 5 * MINUTE_S

type Challenge = {
  id: string
  type: FactorType
  expires_at: number
  webauthn?: { type: 'create' | 'request'; credential_options: { publicKey: { challenge: string } } }
}

/**
 * Asks for a factor: for a code, for a new passkey, or for the signature of one. The challenge can be used once, for five
 * minutes, and in the session that asked.
 *
 * @throws AuthError `mfa_factor_not_found`
 */
export async function challengeFactor(auth: AuthContext, actor: Actor, factorId: string): Promise<Challenge> {
  const factor = (await findFactor(auth.db, actor.id, factorId)) ?? failFactorNotFound()
  const webauthn = factor.factor_type === 'webauthn' ? await prepareCeremony(auth, factor) : undefined
  const { id, expiresAtS } = await inTransaction(auth.db, async (tx) => {
    if (!(await setFactorChallenged(tx, factor.id))) failFactorNotFound()
    return insertChallenge(tx, {
      factorId: factor.id,
      sessionId: actor.sessionId,
      challenge: webauthn?.credential_options.publicKey.challenge ?? null,
      validS: CHALLENGE_VALID_S,
    })
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

/** Fails as for a factor of nobody, also when it is somebody else's. */
export const failFactorNotFound = () => fail('mfa_factor_not_found', { status: 404, message: 'Factor not found' })
