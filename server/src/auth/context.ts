import type { AuditActor } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { createFailureRecorder } from './events.ts'
import { createLinkRequestQueue, type LinkRequestQueue } from './link-requests.ts'
import { createPasswordHasher, type PasswordHasher } from './password.ts'
import { type AuthKeys, deriveAuthKeys } from './tokens.ts'

/**
 * Deletes an account with everything that belongs to it. Passed in as an argument, because the product's deletion
 * imports every feature. Refuses with `not_found` and `last_admin`.
 */
export type DeleteAccount = (context: AppContext, deletion: { id: string; by: AuditActor }) => Promise<void>

/** What the account flows need. */
export type AuthContext = AppContext & {
  keys: AuthKeys
  passwords: PasswordHasher
  linkRequestQueue: LinkRequestQueue
  failures: ReturnType<typeof createFailureRecorder>
  deleteAccount: DeleteAccount
}

export const createAuthContext = (context: AppContext, deleteAccount: DeleteAccount): AuthContext => ({
  ...context,
  keys: deriveAuthKeys(context.jwtSecrets),
  passwords: createPasswordHasher({ parameters: context.passwordHashing }),
  linkRequestQueue: createLinkRequestQueue(context),
  failures: createFailureRecorder(context),
  deleteAccount,
})
