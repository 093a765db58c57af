import type { Factor } from '@supabase/auth-js'
import { shownEmail } from '#contract/auth.ts'
import { authRequest } from '~/auth/auth-request'
import { verifiedFactors } from '~/auth/factors'
import { sendIntentOf } from '~/auth/send-intent'
import { m } from '~/paraglide/messages'
import type { LinkTokens } from './link-session.ts'

/**
 * The session of a recovery link. It is never stored: a user who is signed in here stays signed in, and the new password
 * is first used at the next sign-in.
 */
export type Recovery = {
  email: string
  userId: string
  client: RecoveryClient
  /** The second factors, one of which the link's session must be verified with before it can set a password. */
  factors: Factor[]
  /** What they wanted when they asked for the link; undefined: nothing this browser knows of. */
  wanted: string | undefined
}

type RecoveryClient = ReturnType<typeof import('~/lib/session/session.client')['createTransientAuth']>

/** Opens the session of a recovery link, which the server checks. */
export const openRecovery = (tokens: LinkTokens) =>
  authRequest<Recovery>(m.error_unexpected(), async ({ openTransientSession }) => {
    const { client, session, error } = await openTransientSession(tokens)
    if (error) return { data: null, error }
    const { user } = session
    const wanted = sendIntentOf(user) ?? undefined
    const factors = verifiedFactors(user)
    return { data: { email: shownEmail(user), userId: user.id, client, factors, wanted }, error: null }
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
