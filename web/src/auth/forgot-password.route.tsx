import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { trimEmail } from '#contract/addresses.ts'
import { paths } from '#contract/paths.ts'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { href, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { publicPageMeta } from '~/lib/page/page-meta'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmailField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import type { Route } from './+types/forgot-password.route'
import { AuthForm, focusOnMount } from './AuthForm.tsx'
import { authRequest } from './auth-request.ts'
import { rememberSendIntent } from './pending-sign-up.ts'
import { useWantedPage } from './sign-in-pages.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.forgot_title(), description: m.forgot_description() })

export default function ForgotPasswordPage() {
  const wanted = useWantedPage()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    defaultValues: { email: '' },
    uncontrolled: true,
    validate: ({ email }) => ({ email: validateEmail(email) }),
    async onSubmit({ email: typed }) {
      const email = trimEmail(typed)
      const redirectTo = location.origin + href(paths.resetPassword())
      await authRequest(m.error_unexpected(), ({ auth }) => auth.resetPasswordForEmail(email, { redirectTo }))
      rememberSendIntent(email, wanted)
      toast.success(m.forgot_toast())
      setSentTo(email)
    },
  })

  return (
    <>
      <PageHeader title={m.forgot_title()}>{sentTo === null && <p>{m.forgot_intro()}</p>}</PageHeader>
      <Card>
        {/* only hidden after it was sent, so that it comes back with the address still in it */}
        <AuthForm form={form} hidden={sentTo !== null} submitText={m.forgot_submit()} pendingText={m.forgot_pending()}>
          <EmailField label={m.auth_email()} autoComplete="username" {...form.register('email')} />
        </AuthForm>
        {sentTo !== null && (
          <div className="grid gap-4">
            <MailCheck aria-hidden="true" className="size-10 text-good" strokeWidth={1.5} />
            <h2 ref={focusOnMount} tabIndex={-1} className="outline-none text-xl font-extrabold">
              {m.forgot_sent_title()}
            </h2>
            <p className="text-ink-soft">{verbatim(m.forgot_sent_text({ email: sentTo }), sentTo)}</p>
            <Button onClick={() => setSentTo(null)}>{m.forgot_again()}</Button>
          </div>
        )}
      </Card>
      <p className="pt-6 text-center">
        <Link to={paths.login(wanted)} className="link inline-block py-2.5">
          {m.auth_back_to_login()}
        </Link>
      </p>
    </>
  )
}
