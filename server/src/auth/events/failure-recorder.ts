import type { AppContext } from '../../context.ts'
import { describeError } from '../../log/safe-error.ts'
import type { AuthError, AuthErrorCode } from '../errors.ts'
import type { ClientInfo } from '../session-queries.ts'
import { insertFailure } from './event-queries.ts'
import { toOrigin } from './record-event.ts'

/** Records failed sign-ins after they were answered, so that an answer takes as long for an address without an account. */
export type FailureRecorder = {
  record(email: string, error: AuthError, clientInfo: ClientInfo): void
  /** Resolves when everything is recorded. */
  stop(): Promise<void>
}

const TYPES: Partial<Record<AuthErrorCode, 'sign_in_failed' | 'sign_in_refused'>> = {
  invalid_credentials: 'sign_in_failed',
  over_request_rate_limit: 'sign_in_refused',
  user_banned: 'sign_in_refused',
}

/** The failures that wait to be recorded; in a flood the others are not, and nobody waits for them. */
const WAITING_MAX = 20

/** Creates the recorder of failed sign-ins, which never delays or fails the sign-in itself. */
export function createFailureRecorder({
  db,
  keyring,
  log,
}: Pick<AppContext, 'db' | 'keyring' | 'log'>): FailureRecorder {
  // those of one address one after the other, because each counts the ones before it
  const lastOf = new Map<string, Promise<void>>()
  let waiting = 0
  return {
    record(email, error, clientInfo) {
      const type = TYPES[error.code]
      if (!type || waiting >= WAITING_MAX) return
      waiting++
      const recording = (lastOf.get(email) ?? Promise.resolve())
        .then(() => insertFailure(db, email, type, toOrigin(keyring, clientInfo)))
        .catch((error: unknown) => log.warn({ error: describeError(error) }, 'a failed sign-in was not recorded'))
        .finally(() => {
          waiting--
          if (lastOf.get(email) === recording) lastOf.delete(email)
        })
      lastOf.set(email, recording)
    },
    async stop() {
      await Promise.all(lastOf.values())
    },
  }
}
