import { discardDrafts } from '~/lib/form/drafts'
import { unsubscribeFromPush } from '~/lib/push/push-subscription'
import { settleWithin } from '~/lib/time/timeout'
import { loadAuthClient } from './session.ts'
import { hasStoredSession, SESSION_KEY } from './stored-session.ts'

/** Other tabs hear here that the person leaves; a session that ended by itself is told by auth-js alone. */
export const SIGN_OUT_CHANNEL = 'platenote-leaving'

/** How long a connection that hangs may hold up each step of a sign-out. */
const STEP_TIMEOUT_MS = 5_000

let signingOut = false

/**
 * Whether the person is leaving through `signOutButton` or `signOutAfter`; a session that is over otherwise has ended by itself, or
 * in another tab.
 */
export const isSigningOut = () => signingOut

/** For the moment before somebody signs out: what that needs is there when they press. */
export function preloadAuthClient(): void {
  loadAuthClient().catch(() => {}) // `signOutButton` tries again
}

/**
 * Signs out in this browser because the person wants to; what they were writing is forgotten, in every tab. Never
 * throws: where the server cannot be told in time, the session ends here alone.
 */
export async function signOut(): Promise<void> {
  signingOut = true
  discardDrafts()
  broadcast(SIGN_OUT_CHANNEL, null)
  await settleWithin(unsubscribeFromPush(), STEP_TIMEOUT_MS)
  await settleWithin(revokeSession(), STEP_TIMEOUT_MS)
  if (hasStoredSession()) clearStoredSession()
}

async function revokeSession() {
  const { auth } = await loadAuthClient()
  await auth.signOut({ scope: 'local' })
}

/**
 * Does what ends the session on the server, such as deleting the account, then signs out in this browser. However the
 * end of the session is noticed first, here it counts as leaving. Throws what `work` throws; nobody has left then.
 */
export async function signOutAfter(work: () => Promise<void>): Promise<void> {
  signingOut = true
  try {
    await work()
  } catch (error) {
    signingOut = false
    throw error
  }
  await signOut()
}

/** Whoever wants out must not stay: as auth-js does when it cannot reach the server. */
function clearStoredSession() {
  localStorage.removeItem(SESSION_KEY)
  broadcast(SESSION_KEY, { event: 'SIGNED_OUT', session: null })
}

/** Posted by an object of its own, so that the listeners of this tab hear it too. */
function broadcast(name: string, message: unknown) {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}
