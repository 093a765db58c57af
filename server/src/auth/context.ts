import type { AppContext } from '../context.ts'
import { createFailureRecorder, type FailureRecorder } from './events/record-event.ts'
import { type AuthLimits, createAuthLimits } from './limits.ts'
import { createLinkRequestQueue, type LinkRequestQueue } from './link-request-queue.ts'
import { createPasswordHasher, type PasswordHasher } from './password.ts'
import { type AuthKeys, deriveAuthKeys } from './tokens.ts'

/** What the account flows need. */
export type AuthContext = Pick<AppContext, 'config' | 'db' | 'keyring' | 'live' | 'outbox'> & {
  keys: AuthKeys
  passwords: PasswordHasher
  limits: AuthLimits
  linkRequestQueue: LinkRequestQueue
  failures: FailureRecorder
}

export function createAuthContext(context: AppContext): AuthContext {
  const { config, db, keyring, live, log, outbox, jwtSecrets } = context
  const keys = deriveAuthKeys(jwtSecrets)
  return {
    config,
    db,
    keyring,
    live,
    outbox,
    keys,
    passwords: createPasswordHasher({ isForTests: config.NODE_ENV === 'test' }),
    limits: createAuthLimits(db, config, keys, log),
    linkRequestQueue: createLinkRequestQueue(context),
    failures: createFailureRecorder(context),
  }
}
