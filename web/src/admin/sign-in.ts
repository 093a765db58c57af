import type { Session } from '@supabase/auth-js'
import { attempt, type Outcome } from '~/auth/attempt'
import { m } from '~/paraglide/messages'

/**
 * Signs in as an admin. The right is looked at before the session takes the place of the one this browser holds:
 * whoever turns out to be no admin keeps theirs, and the one just opened is ended.
 */
export async function signInAsAdmin(email: string, password: string): Promise<Outcome<null>> {
  const opened = await attempt(m.login_failed(), async ({ unstoredAuth }) => {
    const { isAdmin } = await import('~/lib/require-admin')
    const client = unstoredAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    const admin = isAdmin(data.user)
    if (data.session && !admin) await client.signOut({ scope: 'local' })
    return { data: admin ? data.session : null, error }
  })
  if (opened.state === 'failed') return opened
  if (opened.data) return takeOver(opened.data)
  return { state: 'failed', failure: { code: 'not_admin', text: m.admin_login_not_admin() } }
}

const takeOver = (session: Session): Promise<Outcome<null>> =>
  attempt(m.login_failed(), async ({ auth }) => {
    await auth.signOut({ scope: 'local' }) // whoever was signed in here, in every tab
    const { error } = await auth.setSession(session)
    if (error) await auth.admin.signOut(session.access_token, 'local')
    return { data: null, error }
  })
