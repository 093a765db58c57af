import type { AuthChangeEvent, Session } from '@supabase/auth-js'
import { discardDrafts, setDraftOwner } from '~/lib/form/drafts'
import { SESSION_KEY } from '~/lib/page/storage'
import { loadAuthClient } from './session.ts'
import { isSigningOut, SIGN_OUT_CHANNEL } from './sign-out.ts'
import { getStoredSession, getStoredUserId, msUntilExpiry, RENEW_BEFORE_MS } from './stored-session.ts'

/** The interval of the checks whether the session is about to expire (requirements §9). */
const CHECK_INTERVAL_MS = 30_000

type SessionWatcher = {
  /** The user signed out, here or in another tab. */
  onSignedOut: () => void
  /** The user's details have changed. */
  onUserUpdated: () => void
  /** Another user is signed in now, or nobody: the page must no longer be seen. */
  onUserChanged: () => void
}

/** What auth-js broadcasts to other tabs (GoTrueClient, `broadcastChannel`). */
type AuthBroadcast = { event: AuthChangeEvent; session: Session | null }

/**
 * Watches the session of a page until the returned function is called, and loads auth-js, which then renews it, when it is
 * about to expire. The auth-js of every tab broadcasts what it does to the session. What this tab's does arrives the same
 * way, because it posts through a channel object of its own, so every event arrives exactly once.
 */
export function watchSession(
  userId: string,
  { onSignedOut, onUserUpdated, onUserChanged }: SessionWatcher,
): () => void {
  const authChannel = new BroadcastChannel(SESSION_KEY)
  authChannel.onmessage = ({ data: { event, session } }: MessageEvent<AuthBroadcast>) => {
    if (session) setDraftOwner(session.user.id)
    if (event === 'SIGNED_OUT') onSignedOut()
    else if (session && session.user.id !== userId) onUserChanged()
    else if (event === 'USER_UPDATED') onUserUpdated()
  }
  const signOutChannel = new BroadcastChannel(SIGN_OUT_CHANNEL)
  let signedOut = false
  signOutChannel.onmessage = () => {
    signedOut = true
    discardDrafts()
  }

  // a frozen tab may have missed broadcasts
  const check = () => {
    if (document.hidden || isSigningOut()) return
    if (getStoredUserId() !== userId) return onUserChanged()
    const session = getStoredSession()
    // plus the time until the next check, so that there is still enough left once auth-js is loaded
    if (session && msUntilExpiry(session) >= RENEW_BEFORE_MS + CHECK_INTERVAL_MS) return
    loadAuthClient().catch(() => {}) // no connection: the next check tries again
  }
  // restored from the back/forward cache: after a sign-out the page is of no use even to the same user
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && (signedOut || getStoredUserId() !== userId)) onUserChanged()
    else check()
  }
  const checkTimer = setInterval(check, CHECK_INTERVAL_MS)
  const controller = new AbortController()
  const { signal } = controller
  addEventListener('visibilitychange', check, { signal })
  addEventListener('online', check, { signal })
  addEventListener('pageshow', onPageShow, { signal })
  check()

  return () => {
    clearInterval(checkTimer)
    controller.abort()
    authChannel.close()
    signOutChannel.close()
  }
}
