import { attempt, type Outcome } from '~/auth/attempt'
import { m } from '~/paraglide/messages'

/** As `attempt`, for somebody who is signed in: what ends the session of a link elsewhere has ended theirs here. */
export async function attemptSignedIn<T>(...call: Parameters<typeof attempt<T>>): Promise<Outcome<T>> {
  const outcome = await attempt(...call)
  if (outcome.state === 'done' || !outcome.failure.linkOver) return outcome
  return { state: 'failed', failure: { ...outcome.failure, text: m.profile_session_over() } }
}
