import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Consent, getConsent, giveConsent } from '#contract/consent.ts'
import { paths } from '#contract/paths.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { AuthForm, focusOnMount } from '~/auth/AuthForm'
import { AuthSkeleton, hydrated, useOpened } from '~/auth/Opened'
import { redirectTarget } from '~/auth/safe-redirect'
import { TermsCheckbox } from '~/auth/TermsCheckbox'
import { formatDate } from '~/lib/dates/dates'
import { useForm } from '~/lib/form/use-form'
import { rememberConsent } from '~/lib/guard/require-user'
import { call } from '~/lib/http/api'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { signOut } from '~/lib/session/sign-out'
import { getSession } from '~/lib/session/tab-session'
import { useSessionEvents } from '~/lib/session/use-session-events'
import { type User, UserContext } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.consent_title())

/** Loaded only for those who do not agree. */
const DataRights = lazy(() => import('~/profile/DataRights'))

/**
 * Renders /consent: asks somebody who is signed in to agree to the terms, before the first use or when they have changed
 * (decision terms-consent). Who does not agree can sign out, take the data along, or delete the account.
 */
export default hydrated(function ConsentPage() {
  const navigate = useNavigate()
  const target = redirectTarget()
  const leaveFor = async (path: string) => {
    await navigate(href(path), { replace: true })
    return undefined
  }
  const logIn = () => leaveFor(paths.login(target))
  const { data, placeholder } = useOpened<QuestionProps>({
    title: m.consent_title(),
    logIn,
    async open(signal) {
      const { current_version, given } = await call(getConsent, {}, { signal })
      const user = getSession()?.user
      if (!user) return logIn()
      return given?.version === current_version ? leaveFor(stripLocale(target)) : { user, earlier: given }
    },
  })
  return data ? <Question {...data} /> : placeholder
})

type QuestionProps = { user: User; earlier: Consent['given'] }

function Question({ user, earlier }: QuestionProps) {
  const navigate = useNavigate()
  const [disagrees, setDisagrees] = useState(false)
  useSessionEvents(user.id, paths.login)
  const form = useForm({
    defaultValues: { terms: '' },
    validate: ({ terms }) => ({ terms: terms !== '' || m.signup_terms_missing() }),
    async onSubmit() {
      await call(giveConsent, { version: TERMS_VERSION, age_ok: true }, { withTimeout: true })
      rememberConsent(user.id)
      await navigate(href(stripLocale(redirectTarget())), { replace: true })
    },
  })
  return (
    <UserContext value={user}>
      <PageHeader title={earlier ? m.consent_title_changed() : m.consent_title()}>
        {earlier ? m.consent_intro_changed({ date: formatDate(earlier.at) }) : m.consent_intro()}
      </PageHeader>
      <Card>
        <AuthForm form={form} submitText={m.consent_agree()} pendingText={m.consent_pending()}>
          <TermsCheckbox {...form.register('terms')} />
        </AuthForm>
      </Card>
      <div className="grid justify-items-center gap-1 pt-4 text-ink-soft">
        {!disagrees && (
          <button type="button" className="link py-2.5" onClick={() => setDisagrees(true)}>
            {m.consent_disagree()}
          </button>
        )}
        <button type="button" className="link py-2.5" onClick={() => void signOut()}>
          {m.action_sign_out()}
        </button>
      </div>
      {disagrees && (
        <Suspense fallback={<AuthSkeleton />}>
          <DataRights
            title={m.consent_leaving()}
            text={m.consent_leaving_text()}
            className="pt-6"
            headingRef={focusOnMount}
          />
        </Suspense>
      )}
    </UserContext>
  )
}
