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

/** Whose session is stored; null when there is none. Needs no auth-js, and does not wait. */
export function storedUserId(): string | null {
  try {
    const stored = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null') as { user?: { id?: unknown } } | null
    return typeof stored?.user?.id === 'string' ? stored.user.id : null
  } catch {
    return null // storage is forbidden, or something else wrote there
  }
}
