import { Info, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { AuthFailure, authRequest } from '~/auth/auth-request'
import { LoginForm } from '~/auth/login/LoginForm'
import { safeRedirect } from '~/auth/safe-redirect'
import { StoresNothingSentence } from '~/auth/sign-in-pages'
import { href, Link, stripLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { publicPageMeta } from '~/lib/page/page-meta'
import { isSignedIn } from '~/lib/session/tab-session'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import type { Route } from './+types/admin-login.route'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.admin_login_title(), description: m.admin_login_description(), indexed: false })

/** Renders /admin/login, the only way into the admin area (requirements §2). */
export default function AdminLoginPage() {
  const signedInAs = useRedirectIfAdmin()
  const navigate = useNavigate()

  async function signIn(email: string, password: string) {
    await signInAsAdmin(email, password)
    await navigate(href(adminRedirectTarget()), { replace: true })
  }

  return (
    <div className={signedInAs === undefined ? 'signed-in:invisible' : undefined}>
      <ShieldCheck aria-hidden="true" className="mb-3 size-10 text-pine" strokeWidth={1.5} />
      <PageHeader title={m.admin_login_title()}>
        <p>{m.admin_login_intro({ product: PRODUCT })}</p>
        <StoresNothingSentence />
      </PageHeader>
      <Card className="grid gap-5">
        {signedInAs && (
          <p className="flex items-start gap-3 rounded-xl bg-pine-soft p-4">
            <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
            {verbatim(m.admin_login_other({ email: signedInAs }), signedInAs)}
          </p>
        )}
        <LoginForm submitText={m.admin_login_submit()} pendingText={m.admin_login_pending()} onSubmit={signIn} />
      </Card>
      <p className="pt-6 text-center text-ink-soft">
        {m.admin_login_own_account()}{' '}
        <Link to={paths.login()} className="link inline-block py-2.5">
          {m.action_log_in()}
        </Link>
      </p>
    </div>
  )
}

/**
 * Signs in as an admin. Checks the right before the new session replaces the one in this browser: a user who is
 * no admin keeps the former session, and the new one is ended.
 */
async function signInAsAdmin(email: string, password: string) {
  const session = await authRequest(m.login_failed(), async ({ createTransientAuth }) => {
    const { isAdmin } = await import('./frame/require-admin.ts')
    const client = createTransientAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    const admin = isAdmin(data.user)
    if (data.session && !admin) await client.signOut({ scope: 'local' })
    return { data: admin ? data.session : null, error }
  })
  if (!session) throw new AuthFailure(m.admin_login_not_admin(), { code: 'not_admin' })
  await authRequest(m.login_failed(), async ({ adoptSession }) => {
    await adoptSession(session) // signs out the user who was signed in here, in every tab
    return { data: null, error: null }
  })
}

/**
 * Sends admins who are signed in on from /admin/login. Returns the email address of somebody who is signed in without being an
 * admin, null when nobody is, and undefined until that is known.
 */
function useRedirectIfAdmin(): string | null | undefined {
  const navigate = useNavigate()
  const [signedInAs, setSignedInAs] = useState<string | null>()
  useEffect(() => {
    let cancelled = false
    const check = async () => {
      if (!isSignedIn()) return null
      const { fetchCurrentUser, isAdmin } = await import('./frame/require-admin.ts')
      const user = await fetchCurrentUser()
      if (!isAdmin(user)) return user && shownEmail(user)
      if (!cancelled) await navigate(href(adminRedirectTarget()), { replace: true })
      return undefined
    }
    void check()
      .catch(() => null)
      .then((email) => !cancelled && setSignedInAs(email))
    return () => {
      cancelled = true
    }
  }, [navigate])
  return signedInAs
}

/**
 * Returns where an admin goes after signing in, without the language: the admin page they had asked for, else /admin.
 */
function adminRedirectTarget(): string {
  const next = safeRedirect(new URLSearchParams(location.search).get('next'))
  const path = next === null ? '' : stripLocale(next)
  const inside = /^\/admin(?:[/?#]|$)/.test(path) && !/^\/admin\/login(?:[/?#]|$)/.test(path)
  return inside ? path : paths.admin()
}
