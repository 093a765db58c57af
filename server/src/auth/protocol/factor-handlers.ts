import type { FastifyRequest } from 'fastify'
import { fail, failValidation } from '../errors.ts'
import { challengeFactor, failFactorNotFound } from '../factors/challenge-factor.ts'
import { enrolFactor, FACTOR_NAME_MAX } from '../factors/enrol-factor.ts'
import { removeFactor } from '../factors/remove-factor.ts'
import { type FactorResponse, verifyFactor } from '../factors/verify-factor.ts'
import { readClientInfo } from '../session-queries.ts'
import { isUuid } from '../tokens.ts'
import type { UserHandler } from './handlers.ts'
import { EnrolBody, FactorResponseBody, parseBody } from './request-bodies.ts'
import { toSessionJson } from './user-json.ts'

// Second factors (auth-protocol §1.15). They work in a session of level aal1 too: that is what they are for.

function readFactorId(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  return isUuid(id) ? id.toLowerCase() : failFactorNotFound()
}

/** Handles `POST /factors`. */
export const postFactor: UserHandler = async (auth, request, _, actor) => {
  const { factor_type, friendly_name = '', issuer } = parseBody(EnrolBody, request)
  if (factor_type === 'phone') fail('mfa_phone_enroll_not_enabled')
  if (factor_type !== 'totp' && factor_type !== 'webauthn') {
    failValidation('factor_type needs to be totp, phone, or webauthn')
  }
  const name = friendly_name.trim()
  if (name.length > FACTOR_NAME_MAX) failValidation(`friendly_name has at most ${FACTOR_NAME_MAX} characters`)
  if (issuer !== undefined && issuer.length > FACTOR_NAME_MAX) {
    failValidation(`issuer has at most ${FACTOR_NAME_MAX} characters`)
  }
  return enrolFactor(auth, actor, { type: factor_type, name, issuer })
}

/** Handles a request for a challenge; the body names a relying party, which here is always this site. */
export const postChallenge: UserHandler = (auth, request, _, actor) =>
  challengeFactor(auth, actor, readFactorId(request))

/** Handles `POST /factors/:id/verify`. */
export const postVerify: UserHandler = async (auth, request, _, actor) => {
  const factorId = readFactorId(request)
  const { challenge_id, code, webauthn } = parseBody(FactorResponseBody, request)
  if (challenge_id === undefined || !isUuid(challenge_id)) failValidation('challenge_id must be an UUID')
  if (!code && !webauthn?.credential_response) failValidation('Code needs to be non-empty')
  const credential = webauthn?.credential_response as FactorResponse['credential']
  const response = { challengeId: challenge_id, code, credential }
  return toSessionJson(auth, await verifyFactor(auth, actor, factorId, response, readClientInfo(request)))
}

/** Handles `DELETE /factors/:id`. */
export const deleteFactor: UserHandler = async (auth, request, _, actor) => {
  const id = readFactorId(request)
  await removeFactor(auth, actor, id, readClientInfo(request))
  return { id }
}
