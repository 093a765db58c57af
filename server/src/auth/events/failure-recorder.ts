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

/** The failures recorded at one time; in a flood the others are not, and nobody waits for them. */
const CONCURRENT_MAX = 20

/** Creates the recorder of failed sign-ins, which never delays or fails the sign-in itself. */
export function createFailureRecorder({
  db,
  keyring,
  log,
}: Pick<AppContext, 'db' | 'keyring' | 'log'>): FailureRecorder {
  const running = new Set<Promise<void>>()
  return {
    record(email, error, clientInfo) {
      const type = TYPES[error.code]
      if (!type || running.size >= CONCURRENT_MAX) return
      const recording = insertFailure(db, email, type, toOrigin(keyring, clientInfo))
        .catch((error: unknown) => log.warn({ error: describeError(error) }, 'a failed sign-in was not recorded'))
        .finally(() => running.delete(recording))
      running.add(recording)
    },
    async stop() {
      await Promise.all(running)
    },
  }
}
