import { Info, ShieldCheck } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { LoginForm } from '~/auth/login/LoginForm'
import { href, Link } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import type { Route } from './+types/admin-login.route'
import { adminRedirectTarget } from './redirect-target.ts'
import { signInAsAdmin } from './sign-in-as-admin.ts'
import { useRedirectIfAdmin } from './use-redirect-if-admin.ts'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.admin_login_title(), description: m.admin_login_description(), indexed: false })

/** Renders /admin/login, the only way into the admin area (requirements §2). */
export default function AdminLoginPage() {
  const { hiddenClass, signedInAs } = useRedirectIfAdmin()
  const navigate = useNavigate()

  async function signIn(email: string, password: string) {
    const outcome = await signInAsAdmin(email, password)
    if (outcome.state === 'failed') return outcome.failure
    await navigate(href(adminRedirectTarget()), { replace: true })
    return null
  }

  return (
    <div className={hiddenClass}>
      <ShieldCheck aria-hidden="true" className="mb-3 size-10 text-pine" strokeWidth={1.5} />
      <PageHeader title={m.admin_login_title()}>{m.admin_login_intro({ product: PRODUCT })}</PageHeader>
      <Card className="grid gap-5">
        {signedInAs !== null && (
          <p className="flex items-start gap-3 rounded-xl bg-pine-soft p-4">
            <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
            <span className="min-w-0 wrap-anywhere">{m.admin_login_other({ email: signedInAs })}</span>
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
