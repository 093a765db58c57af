import { endDrafts } from '~/lib/drafts'
import { forgetDevice } from '~/lib/push-device'
import { authClient } from '~/lib/session'
import { hasStoredSession, SESSION_KEY } from '~/lib/stored-session'

/** Other tabs hear here that the person leaves; a session that ended by itself is told by auth-js alone. */
export const LEAVING_CHANNEL = 'platenote-leaving'

/** How long a connection that hangs may hold up each step of a sign-out. */
const PATIENCE_MS = 5_000

let leaving = false

/**
 * Whether the person is leaving through `signOut` or `leaveBy`; a session that is over otherwise has ended by itself, or
 * in another tab.
 */
export const isLeaving = () => leaving

/** For the moment before somebody signs out: what that needs is there when they press. */
export function prepareSignOut(): void {
  authClient().catch(() => {}) // `signOut` tries again
}

/**
 * Signs out in this browser because the person wants to; what they were writing is forgotten, in every tab. Never
 * throws: where the server cannot be told in time, the session ends here alone.
 */
export async function signOut(): Promise<void> {
  leaving = true
  endDrafts()
  tell(LEAVING_CHANNEL, null)
  await inTime(forgetDevice())
  await inTime(endSession())
  if (hasStoredSession()) forgetSession()
}

async function endSession() {
  const { auth } = await authClient()
  await auth.signOut({ scope: 'local' })
}

/** Settles with the work, whatever became of it, or when the patience has run out. */
const inTime = (work: Promise<void>): Promise<unknown> =>
  Promise.race([work.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])

/**
 * Does what ends the session on the server, such as deleting the account, then signs out in this browser. However the
 * end of the session is noticed first, here it counts as leaving. Throws what `work` throws; nobody has left then.
 */
export async function leaveBy(work: () => Promise<void>): Promise<void> {
  leaving = true
  try {
    await work()
  } catch (error) {
    leaving = false
    throw error
  }
  await signOut()
}

/** Whoever wants out must not stay: as auth-js does when it cannot reach the server. */
function forgetSession() {
  localStorage.removeItem(SESSION_KEY)
  tell(SESSION_KEY, { event: 'SIGNED_OUT', session: null })
}

/** Posted by an object of its own, so that the listeners of this tab hear it too. */
function tell(name: string, message: unknown) {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}
