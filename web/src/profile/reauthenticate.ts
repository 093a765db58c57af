import { authRequest } from '~/auth/auth-request'
import { m } from '~/paraglide/messages'

/**
 * Proves once more who is there: a session of its own is begun with the password, lent to `work`, and ended on the
 * server. The session of this browser is left as it is, so no other tab notices and no draft is lost.
 */
export const reauthenticate = (email: string, password: string, work: (token: string) => Promise<void>) =>
  authRequest(m.login_failed(), async ({ createTransientAuth }) => {
    const client = createTransientAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    if (error) return { data: null, error }
    try {
      await work(data.session.access_token)
    } finally {
      await client.signOut({ scope: 'local' })
    }
    return { data: null, error: null }
  })
