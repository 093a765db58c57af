import { discardDrafts } from '~/lib/form/drafts'
import { storesNothing } from '~/lib/page/storage'
import { unsubscribeFromPush } from '~/lib/push/push-subscription'
import { settleWithin, withTimeout } from '~/lib/time/timeout'
import { markSignedOut } from './account-cookie.ts'
import { requestEnd } from './open-session.ts'
import { getAccessToken, revokeToken } from './session.ts'
import { announce, broadcast, setSession } from './tab-session.ts'

/** Notifies other tabs that the user signs out; a session that has only expired leaves their drafts. */
export const SIGN_OUT_CHANNEL = 'platenote-leaving'

/** How long a hanging connection may delay each step of a sign-out. */
const STEP_TIMEOUT_MS = 5_000

let signingOut = false

/**
 * Returns whether the user is signing out through `signOut` or `signOutAfter`. A session that ends otherwise has expired, or
 * was ended in another tab.
 */
export const isSigningOut = () => signingOut

/**
 * Signs out in this browser at the user's request, and discards the drafts in every tab. Never throws: when the server
 * cannot be reached, nobody is signed in here from now on, and the next page that reaches it ends the session.
 */
export async function signOut(): Promise<void> {
  signingOut = true
  discardDrafts()
  broadcast(SIGN_OUT_CHANNEL, null)
  await settleWithin(unsubscribeFromPush(), STEP_TIMEOUT_MS)
  await endSession()
}

/** Ends the session in every tab and on the server, or there once it can be reached. */
export async function endSession(): Promise<void> {
  const ended = storesNothing ? await beginRevoking() : endInCookie()
  setSession(null)
  announce('SIGNED_OUT', null)
  await settleWithin(ended.done, STEP_TIMEOUT_MS)
}

function endInCookie() {
  markSignedOut()
  return { done: requestEnd() } // if the server is away, the inline head script asks again
}

/** Where the session is in this tab alone, its token may have to be renewed first. */
async function beginRevoking() {
  const token = await withTimeout(getAccessToken(), STEP_TIMEOUT_MS, 'the server took too long').catch(() => null)
  return { done: revokeToken(token ?? '') }
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
