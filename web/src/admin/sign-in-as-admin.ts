import type { Session } from '@supabase/auth-js'
import { type AuthResult, authRequest } from '~/auth/auth-request'
import { m } from '~/paraglide/messages'

/**
 * Signs in as an admin. Checks the right before the new session replaces the one in this browser: a user who is
 * no admin keeps the former session, and the new one is ended.
 */
export async function signInAsAdmin(email: string, password: string): Promise<AuthResult<null>> {
  const result = await authRequest(m.login_failed(), async ({ createTransientAuth }) => {
    const { isAdmin } = await import('./frame/require-admin.ts')
    const client = createTransientAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    const admin = isAdmin(data.user)
    if (data.session && !admin) await client.signOut({ scope: 'local' })
    return { data: admin ? data.session : null, error }
  })
  if (result.state === 'failed') return result
  if (result.data) return replaceSession(result.data)
  return { state: 'failed', failure: { code: 'not_admin', text: m.admin_login_not_admin() } }
}

const replaceSession = (session: Session): Promise<AuthResult<null>> =>
  authRequest(m.login_failed(), async ({ auth }) => {
    await auth.signOut({ scope: 'local' }) // signs out the user who was signed in here, in every tab
    const { error } = await auth.setSession(session)
    if (error) await auth.admin.signOut(session.access_token, 'local')
    return { data: null, error }
  })
