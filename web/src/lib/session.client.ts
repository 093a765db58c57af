import { AuthClient, isAuthRetryableFetchError, type Session, type User } from '@supabase/auth-js'
import { claimDrafts, dropDrafts } from '~/lib/drafts'
import { forgetDevice } from '~/lib/push-device'
import { SESSION_KEY } from '~/lib/stored-session'

export type { Session, User }

/**
 * The one auth client of the tab. `detectSessionInUrl` is off: /verify-email and /reset-password read the fragment
 * themselves, so that tokens are checked before they are stored (design decision 20).
 * Being a `.client` module this is empty while pages are written: use it in handlers, effects and clientLoaders only.
 */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: SESSION_KEY,
  flowType: 'implicit',
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: false,
  fetch: notingRetryAfter,
})

let unstoredClients = 0

/** A client beside `auth` whose session is never stored: for links from e-mails, whose tokens are checked first. */
export const unstoredAuth = () =>
  new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey: `${SESSION_KEY}-unstored-${++unstoredClients}`, // auth-js warns of two under one key
    flowType: 'implicit',
    autoRefreshToken: false,
    persistSession: false,
    detectSessionInUrl: false,
    fetch: notingRetryAfter,
  })

let lastRetryAfterS: number | undefined

/** Retry-After of the last answer, in seconds: the errors of auth-js do not carry it. */
export const retryAfterS = () => lastRetryAfterS

async function notingRetryAfter(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  lastRetryAfterS = Number.isFinite(seconds) ? seconds : undefined
  return response
}

// Pages written without scripts show their signed-in buttons by this class; boot.js sets it on a full load.
auth.onAuthStateChange((_, session) => {
  if (session) claimDrafts(session.user.id)
  document.documentElement.classList.toggle('signed-in', session !== null)
})

/**
 * The session, refreshed when it was about to end; null when signed out.
 * Throws when it could not be refreshed for want of a connection: that is no sign-out.
 */
export async function currentSession(): Promise<Session | null> {
  const { data, error } = await auth.getSession()
  if (isAuthRetryableFetchError(error)) throw error
  return data.session
}

/** As `currentSession`, its access token. */
export const accessToken = async (): Promise<string | null> => (await currentSession())?.access_token ?? null

/** A new access token, for when the server refused the present one; null when the session has ended, which signs out. Throws as `currentSession` does. */
export async function renewedToken(): Promise<string | null> {
  const { data, error } = await auth.refreshSession()
  if (isAuthRetryableFetchError(error)) throw error
  // auth-js keeps a session whose token has not run out, although the server has ended it
  if (!data.session) await auth.signOut({ scope: 'local' })
  return data.session?.access_token ?? null
}

let leaving = false

/** Other tabs hear that the person leaves; a session that ended by itself is told by auth-js alone. */
const leavingTabs = new BroadcastChannel('platenote-leaving')
leavingTabs.onmessage = dropDrafts

/** Signs out in this browser because the person wants to; what they were writing is forgotten, in every tab. */
export async function signOut(): Promise<void> {
  leaving = true
  dropDrafts()
  leavingTabs.postMessage(null)
  await forgetDevice()
  await auth.signOut({ scope: 'local' })
}

/**
 * Does what ends the session on the server, such as deleting the account, then signs out in this browser. However the end
 * of the session is noticed first, here it counts as leaving. Throws what `work` throws; nobody has left then.
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

/** Whether the person is leaving through `signOut` or `leaveBy`; a session that is over otherwise has ended by itself, or in another tab. */
export const isLeaving = () => leaving

/** The person's full name, or their e-mail address (spec §2). */
export function displayName(user: User): string {
  const name: unknown = user.user_metadata['full_name']
  return typeof name === 'string' && name.trim() !== '' ? name : (user.email ?? '')
}
