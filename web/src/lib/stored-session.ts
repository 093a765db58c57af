/** Where auth-js keeps the session in localStorage. boot.js reads it too, before the first paint. */
export const SESSION_KEY = 'sb-auth-token'

/** Whether a session is stored, which may have ended meanwhile. Needs no auth-js. */
export function hasStoredSession(): boolean {
  try {
    return localStorage.getItem(SESSION_KEY) !== null
  } catch {
    return false // storage is forbidden: nobody can be signed in
  }
}

type StoredUser = { id?: unknown; email?: unknown; user_metadata?: { full_name?: unknown } }

/** The user of the stored session, as it lies there; undefined when there is none. */
function storedUser(): StoredUser | undefined {
  try {
    return (JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null') as { user?: StoredUser } | null)?.user
  } catch {
    return undefined // storage is forbidden, or something else wrote there
  }
}

/** Whose session is stored; null when there is none. Needs no auth-js, and does not wait. */
export function storedUserId(): string | null {
  const id = storedUser()?.id
  return typeof id === 'string' ? id : null
}

/** Name and e-mail address of whoever is signed in, empty where unknown; null when nobody is. Needs no auth-js, and does not wait. */
export function storedPerson(): { name: string; email: string } | null {
  const user = storedUser()
  if (!user) return null
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { name: text(user.user_metadata?.full_name), email: text(user.email) }
}
