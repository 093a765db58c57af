/** Loads the auth client. Throws when that fails; the next call tries again. */
export const loadAuthClient = () => import('./session.client.ts')
