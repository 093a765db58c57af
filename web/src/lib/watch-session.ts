import type { AuthChangeEvent, Session } from '@supabase/auth-js'
import { claimDrafts, endDrafts } from '~/lib/drafts'
import { isLeaving, LEAVING_CHANNEL } from '~/lib/leave'
import { authClient, leftMs, RENEW_BEFORE_MS } from '~/lib/session'
import { SESSION_KEY, storedSession, storedUserId } from '~/lib/stored-session'

/** How often one looks whether the session nears its end (spec §9). */
const LOOK_EVERY_MS = 30_000

export type SessionWatcher = {
  /** Here or in another tab. */
  onSignedOut: () => void
  /** What is known about the person has changed. */
  onUserUpdated: () => void
  /** The page is not of the person who is signed in, or nobody is any more: it must not be seen. */
  onNotTheirs: () => void
}

/** What auth-js tells its other tabs (GoTrueClient, `broadcastChannel`). */
type Told = { event: AuthChangeEvent; session: Session | null }

/**
 * Watches the session of a page until the returned function is called, and loads auth-js, which then renews it, when it
 * nears its end. Every auth-js tells the other tabs what it does to the session. What the one of this tab does is heard
 * the same way, because it speaks through a channel object of its own: so nothing is heard twice.
 */
export function watchSession(userId: string, { onSignedOut, onUserUpdated, onNotTheirs }: SessionWatcher): () => void {
  const sessions = new BroadcastChannel(SESSION_KEY)
  sessions.onmessage = ({ data: { event, session } }: MessageEvent<Told>) => {
    if (session) claimDrafts(session.user.id)
    if (event === 'SIGNED_OUT') onSignedOut()
    else if (session && session.user.id !== userId) onNotTheirs()
    else if (event === 'USER_UPDATED') onUserUpdated()
  }
  const leaves = new BroadcastChannel(LEAVING_CHANNEL)
  let left = false
  leaves.onmessage = () => {
    left = true
    endDrafts()
  }

  // a tab that slept may have missed what was told
  const look = () => {
    if (document.hidden || isLeaving()) return
    if (storedUserId() !== userId) return onNotTheirs()
    const session = storedSession()
    // with the time until the next look, so that it is still as good as the spec wants when auth-js is there
    if (session && leftMs(session) >= RENEW_BEFORE_MS + LOOK_EVERY_MS) return
    authClient().catch(() => {}) // no connection: the next look tries again
  }
  // a page that the browser kept whole: one that was left by signing out is of no use to the same person either
  const returned = ({ persisted }: PageTransitionEvent) => {
    if (persisted && (left || storedUserId() !== userId)) onNotTheirs()
    else look()
  }
  const looking = setInterval(look, LOOK_EVERY_MS)
  const stop = new AbortController()
  const { signal } = stop
  addEventListener('visibilitychange', look, { signal })
  addEventListener('online', look, { signal })
  addEventListener('pageshow', returned, { signal })
  look()

  return () => {
    clearInterval(looking)
    stop.abort()
    sessions.close()
    leaves.close()
  }
}
