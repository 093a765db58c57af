import { discardDrafts } from '~/lib/form/drafts'
import { browserStore, SESSION_KEY } from '~/lib/page/storage'
import { unsubscribeFromPush } from '~/lib/push/push-subscription'
import { settleWithin, withTimeout } from '~/lib/time/timeout'
import { loadAuthClient } from './session.ts'
import { broadcast, hasStoredSession } from './stored-session.ts'

/** Notifies other tabs that the user signs out; auth-js itself announces only a session that expired. */
export const SIGN_OUT_CHANNEL = 'platenote-leaving'

/** How long a hanging connection may delay each step of a sign-out. */
const STEP_TIMEOUT_MS = 5_000

let signingOut = false

/**
 * Returns whether the user is signing out through `signOut` or `signOutAfter`. A session that ends otherwise has expired, or
 * was ended in another tab.
 */
export const isSigningOut = () => signingOut

/** Loads what signing out needs, so that it is there when the button is pressed. */
export function preloadAuthClient(): void {
  loadAuthClient().catch(() => {}) // `signOut` tries again
}

/**
 * Signs out in this browser at the user's request, and discards the drafts in every tab. Never throws: when the server
 * cannot be reached in time, the session ends in this browser only.
 */
export async function signOut(): Promise<void> {
  signingOut = true
  discardDrafts()
  broadcast(SIGN_OUT_CHANNEL, null)
  await settleWithin(unsubscribeFromPush(), STEP_TIMEOUT_MS)
  // once auth-js has removed the session, a stored one belongs to a user who has signed in since
  const isRemoved = await withTimeout(revokeSession(), STEP_TIMEOUT_MS, 'the server took too long').catch(() => false)
  if (!isRemoved && hasStoredSession()) clearStoredSession()
}

/** Ends the session on the server and in this browser. Returns false when it failed and the session is still stored. */
async function revokeSession(): Promise<boolean> {
  const { auth } = await loadAuthClient()
  const { error } = await auth.signOut({ scope: 'local' })
  return error === null
}

/**
 * Runs what ends the session on the server, such as deleting the account, then signs out in this browser. Meanwhile the end
 * of the session counts as signing out, however it is noticed first. When `work` throws, rethrows its error and does not
 * sign out.
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

/** Removes the session even if the server could not be reached, and notifies other tabs as auth-js does. */
function clearStoredSession() {
  browserStore.removeItem(SESSION_KEY)
  broadcast(SESSION_KEY, { event: 'SIGNED_OUT', session: null })
}
