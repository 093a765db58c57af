import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isEmail, normalizeEmail } from '#contract/auth.ts'
import type { Parts } from '../parts.ts'
import { invalid } from './errors.ts'
import { type AuthLimits, authLimits } from './limits.ts'
import { type LinkWishes, makeLinkWishes } from './link-wishes.ts'
import { makePasswords, type Passwords } from './password.ts'
import type { Device } from './queries.ts'
import { type AuthKeys, makeAuthKeys } from './tokens.ts'
import { type OpenSession, sessionJson } from './user-json.ts'

/** What the flows of the protocol work with. */
export type Auth = Pick<Parts, 'config' | 'db' | 'outbox'> & {
  keys: AuthKeys
  passwords: Passwords
  limits: AuthLimits
  wishes: LinkWishes
  /** A session as the protocol answers it. */
  answer(session: OpenSession): ReturnType<typeof sessionJson>
}

export function makeAuth(parts: Parts): Auth {
  const { config, db, outbox, jwtSecrets } = parts
  const keys = makeAuthKeys(jwtSecrets)
  return {
    config,
    db,
    outbox,
    keys,
    passwords: makePasswords(),
    limits: authLimits(db, config, keys),
    wishes: makeLinkWishes(parts),
    answer: (session) => sessionJson(keys, `${config.PUBLIC_URL}/auth/v1`, session),
  }
}

const USER_AGENT_MAX = 300

/** What is kept of the device a session is opened on. */
export const deviceOf = (request: FastifyRequest): Device => ({
  user_agent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
  ip: isIP(request.ip) ? (request.ip.split('%')[0] ?? null) : null,
})

/** An address in its stored form. @throws AuthError `validation_failed` */
export function readEmail(typed: string): string {
  const email = normalizeEmail(typed)
  if (Buffer.byteLength(email) > 255) invalid('An email address is too long')
  return isEmail(email) ? email : invalid('Unable to validate email address: invalid format')
}

/** PKCE is not offered; half of its pair of parameters is refused as GoTrue does. */
export function checkPkce({
  code_challenge,
  code_challenge_method,
}: {
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
}): void {
  if (!code_challenge !== !code_challenge_method) {
    invalid('PKCE flow requires code_challenge_method and code_challenge')
  }
}
