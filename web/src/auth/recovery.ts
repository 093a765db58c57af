import { m } from '~/paraglide/messages'
import { authRequest } from './auth-request.ts'
import type { LinkTokens } from './link-session.ts'

/**
 * The session of a recovery link. It is never stored: whoever is signed in here stays signed in, and the new password
 * is first used at the next sign-in.
 */
export type Recovery = { email: string; userId: string; client: RecoveryClient }

type RecoveryClient = ReturnType<typeof import('~/lib/session/session.client')['createTransientAuth']>

/** Opens the session of a recovery link, which the server checks. */
export const openRecovery = ({ accessToken, refreshToken }: LinkTokens) =>
  authRequest(m.error_unexpected(), async ({ createTransientAuth }) => {
    const client = createTransientAuth()
    const { data, error } = await client.setSession({ access_token: accessToken, refresh_token: refreshToken })
    const recovery: Recovery = { email: data.user?.email ?? '', userId: data.user?.id ?? '', client }
    return { data: recovery, error }
  })

/** Sets the new password, which ends every other session of the account, and then ends the session of the link. */
export const completeRecovery = ({ client, userId }: Recovery, password: string) =>
  authRequest(m.error_unexpected(), async ({ auth, currentSession }) => {
    const { error } = await client.updateUser({ password })
    if (error) return { data: null, error }
    await client.signOut({ scope: 'local' })
    // the same person was signed in here: that session has just ended on the server
    if ((await currentSession().catch(() => null))?.user.id === userId) await auth.signOut({ scope: 'local' })
    return { data: null, error: null }
  })
