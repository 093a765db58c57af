import type { Session } from '@supabase/auth-js'
import { SECOND_MS } from '#contract/time.ts'
// biome-ignore lint/style/noRestrictedImports: benches run this file in Node, which knows no '~'
import { browserStore } from '../page/storage.ts'

/*
 * Reads the session as auth-js stores it, without auth-js and without waiting: the inline head script does so before the
 * first paint.
 */

/** The name under which auth-js stores the session. */
export const SESSION_KEY = 'sb-auth-token'

/** Returns whether a session is stored; it may have ended meanwhile. */
export const hasStoredSession = (): boolean => browserStore.getItem(SESSION_KEY) !== null

type StoredValue = {
  access_token?: unknown
  refresh_token?: unknown
  expires_at?: unknown
  user?: {
    id?: unknown
    email?: unknown
    app_metadata?: { shown_email?: unknown }
    user_metadata?: { full_name?: unknown }
  }
}

/** Returns the stored value unchecked; null when there is none. */
function readStored(): StoredValue | null {
  try {
    return JSON.parse(browserStore.getItem(SESSION_KEY) ?? 'null') as StoredValue | null
  } catch {
    return null // something else wrote there
  }
}

/** Returns the stored session, whose token may have expired; null when there is none or it is incomplete. */
export function getStoredSession(): Session | null {
  const session = readStored()
  const isComplete =
    typeof session?.access_token === 'string' &&
    typeof session.refresh_token === 'string' &&
    typeof session.expires_at === 'number' &&
    typeof session.user?.id === 'string'
  return isComplete ? (session as Session) : null
}

/** A session with less left than this is renewed before it is used (requirements §9), by auth-js too. */
export const RENEW_BEFORE_MS = 90 * SECOND_MS

/** Returns the milliseconds until the access token expires; negative afterwards. */
export const msUntilExpiry = ({ expires_at = 0 }: Pick<Session, 'expires_at'>): number =>
  expires_at * SECOND_MS - Date.now()

/** Returns the id of the user whose session is stored; null when there is none. */
export function getStoredUserId(): string | null {
  const id = readStored()?.user?.id
  return typeof id === 'string' ? id : null
}

/** Returns name and email address of the signed-in user as both are shown, empty where unknown; null when nobody is signed in. */
export function getStoredUser(): { name: string; email: string } | null {
  const user = readStored()?.user
  if (!user) return null
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { name: text(user.user_metadata?.full_name), email: text(user.app_metadata?.shown_email) || text(user.email) }
}

/** Posts a message through a channel object of its own, so that the listeners of this tab receive it too. */
export function broadcast(name: string, message: unknown) {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}
