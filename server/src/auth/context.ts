import type { AppContext } from '../context.ts'
import { createFailureRecorder } from './events.ts'
import { createLinkRequestQueue, type LinkRequestQueue } from './link-requests.ts'
import { createPasswordHasher, type PasswordHasher } from './password.ts'
import { type AuthKeys, deriveAuthKeys } from './tokens.ts'

/** What the account flows need. */
export type AuthContext = AppContext & {
  keys: AuthKeys
  passwords: PasswordHasher
  linkRequestQueue: LinkRequestQueue
  failures: ReturnType<typeof createFailureRecorder>
}

export const createAuthContext = (context: AppContext): AuthContext => ({
  ...context,
  keys: deriveAuthKeys(context.jwtSecrets),
  passwords: createPasswordHasher({ parameters: context.passwordHashing }),
  linkRequestQueue: createLinkRequestQueue(context),
  failures: createFailureRecorder(context),
})
