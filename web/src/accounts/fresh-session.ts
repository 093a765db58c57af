import { attempt } from '~/auth/attempt'
import { m } from '~/paraglide/messages'

/**
 * Proves once more who is there: a session of its own is begun with the password, lent to `work`, and ended on the
 * server. The session of this browser is left as it is, so no other tab notices and no draft is lost.
 */
export const withFreshSession = (email: string, password: string, work: (token: string) => Promise<void>) =>
  attempt(m.login_failed(), async ({ unstoredAuth }) => {
    const client = unstoredAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    if (error) return { data: null, error }
    try {
      await work(data.session.access_token)
    } finally {
      await client.signOut({ scope: 'local' })
    }
    return { data: null, error: null }
  })
