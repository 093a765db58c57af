import type { AppContext } from '../context.ts'
import { type AuthLimits, createAuthLimits } from './limits.ts'
import { createLinkRequestQueue, type LinkRequestQueue } from './link-request-queue.ts'
import { createPasswordHasher, type PasswordHasher } from './password.ts'
import { type AuthKeys, deriveAuthKeys } from './tokens.ts'

/** What the account flows need. */
export type AuthContext = Pick<AppContext, 'config' | 'db' | 'outbox'> & {
  keys: AuthKeys
  passwords: PasswordHasher
  limits: AuthLimits
  linkRequestQueue: LinkRequestQueue
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
  }
}
