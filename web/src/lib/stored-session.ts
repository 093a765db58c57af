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
