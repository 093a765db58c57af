import type { AuthChangeEvent, Session } from '@supabase/auth-js'
import { discardDrafts, setDraftOwner } from '~/lib/form/drafts'
import { msUntilExpiry, RENEW_BEFORE_MS } from './expiry.ts'
import { loadAuthClient } from './session.ts'
import { isSigningOut, SIGN_OUT_CHANNEL } from './sign-out.ts'
import { getStoredSession, getStoredUserId, SESSION_KEY } from './stored-session.ts'

/** How often one looks whether the session nears its end (requirements §9). */
const CHECK_INTERVAL_MS = 30_000

export type SessionWatcher = {
  /** Here or in another tab. */
  onSignedOut: () => void
  /** What is known about the person has changed. */
  onUserUpdated: () => void
  /** The page is not of the person who is signed in, or nobody is any more: it must not be seen. */
  onUserChanged: () => void
}

/** What auth-js tells its other tabs (GoTrueClient, `broadcastChannel`). */
type AuthBroadcast = { event: AuthChangeEvent; session: Session | null }

/**
 * Watches the session of a page until the returned function is called, and loads auth-js, which then renews it, when it
 * nears its end. Every auth-js tells the other tabs what it does to the session. What the one of this tab does is heard
 * the same way, because it speaks through a channel object of its own: so nothing is heard twice.
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

  // a tab that slept may have missed what was told
  const check = () => {
    if (document.hidden || isSigningOut()) return
    if (getStoredUserId() !== userId) return onUserChanged()
    const session = getStoredSession()
    // with the time until the next look, so that it is still as good as the spec wants when auth-js is there
    if (session && msUntilExpiry(session) >= RENEW_BEFORE_MS + CHECK_INTERVAL_MS) return
    loadAuthClient().catch(() => {}) // no connection: the next look tries again
  }
  // a page that the browser kept whole: one that was left by signing out is of no use to the same person either
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
