import type { Factor } from '@supabase/auth-js'
import { authRequest } from '~/auth/auth-request'
import { verifiedFactors } from '~/auth/factors'
import type { TransientAuth } from '~/lib/session/session.client'
import { m } from '~/paraglide/messages'

/** A session beside that of this browser, and the second factors, one of which it is to be verified with. */
export type OpenedSession = { client: TransientAuth; factors: Factor[] }

/** Opens a session of its own with the password, or with the code of an email. */
export const openSession = (email: string, proof: { password: string } | { token: string }) =>
  authRequest<OpenedSession>(m.login_failed(), async ({ createTransientAuth }) => {
    const client = createTransientAuth()
    const { data, error } =
      'password' in proof
        ? await client.signInWithPassword({ email, ...proof })
        : await client.verifyOtp({ type: 'email', email, ...proof })
    return error ? { data: null, error } : { data: { client, factors: verifiedFactors(data.user) }, error }
  })

/** Makes an opened session that of this browser, for what a session that began long ago may not do. The former one ends. */
export const adoptOpened = ({ client }: OpenedSession) =>
  authRequest(m.error_unexpected(), ({ adoptSessionOf }) => adoptSessionOf(client))

/** Runs `work` with the token of a session, and ends it on the server. */
export async function withToken(session: OpenedSession, work: (token: string) => Promise<void>): Promise<void> {
  try {
    const { data } = await session.client.getSession()
    if (data.session) await work(data.session.access_token)
  } finally {
    await endOpened(session)
  }
}

/** Ends an opened session on the server. */
export const endOpened = ({ client }: OpenedSession) => client.signOut({ scope: 'local' }).catch(() => {})
