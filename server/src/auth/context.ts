import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { isEmail, normalizeEmail } from '#contract/auth.ts'
import type { AppContext } from '../context.ts'
import { failValidation } from './errors.ts'
import { type AuthLimits, createAuthLimits } from './limits.ts'
import { createLinkRequestQueue, type LinkRequestQueue } from './link-request-queue.ts'
import { createPasswordHasher, type PasswordHasher } from './password.ts'
import { type IssuedSession, toSessionJson } from './protocol/user-json.ts'
import type { ClientInfo } from './queries.ts'
import { type AuthKeys, deriveAuthKeys } from './tokens.ts'

/** What the flows of the protocol work with. */
export type AuthContext = Pick<AppContext, 'config' | 'db' | 'outbox'> & {
  keys: AuthKeys
  passwords: PasswordHasher
  limits: AuthLimits
  linkRequestQueue: LinkRequestQueue
  /** A session as the protocol answers it. */
  toSessionJson(session: IssuedSession): ReturnType<typeof toSessionJson>
}

export function createAuthContext(context: AppContext): AuthContext {
  const { config, db, outbox, jwtSecrets } = context
  const keys = deriveAuthKeys(jwtSecrets)
  return {
    config,
    db,
    outbox,
    keys,
    passwords: createPasswordHasher(),
    limits: createAuthLimits(db, config, keys),
    linkRequestQueue: createLinkRequestQueue(context),
    toSessionJson: (session) => toSessionJson(keys, `${config.PUBLIC_URL}/auth/v1`, session),
  }
}

const USER_AGENT_MAX = 300

/** What is kept of the device a session is opened on. */
export const readClientInfo = (request: FastifyRequest): ClientInfo => ({
  user_agent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
  ip: isIP(request.ip) ? (request.ip.split('%')[0] ?? null) : null,
})

/** An address in its stored form. @throws AuthError `validation_failed` */
export function parseEmail(input: string): string {
  const email = normalizeEmail(input)
  if (Buffer.byteLength(email) > 255) failValidation('An email address is too long')
  return isEmail(email) ? email : failValidation('Unable to validate email address: invalid format')
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
    failValidation('PKCE flow requires code_challenge_method and code_challenge')
  }
}
