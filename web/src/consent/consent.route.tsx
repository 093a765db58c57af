import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Consent, getConsent } from '#contract/consent.ts'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import type { AuthFailure } from '~/auth/auth-error-text'
import { redirectTarget } from '~/auth/safe-redirect'
import { formatDate } from '~/lib/dates/dates'
import { rememberConsent } from '~/lib/guard/remembered-consent'
import { call } from '~/lib/http/api'
import { currentPath, href, stripLocale } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { loadPage } from '~/lib/page/load-page'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { isSigningOut, signOut } from '~/lib/session/sign-out'
import { getStoredSession, hasStoredSession } from '~/lib/session/stored-session'
import { type User, UserContext } from '~/lib/session/user'
import { watchSession } from '~/lib/session/watch-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AgreeForm } from './AgreeForm.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.consent_title())

type Stage =
  | { status: 'loading' }
  | { status: 'failed'; failure: AuthFailure }
  | { status: 'asking'; user: User; earlier: Consent['given'] }

/** Loaded only for those who do not agree. */
const DeclineTermsOptions = lazy(() => import('./DeclineTermsOptions.tsx'))

/**
 * Renders /consent: asks somebody who is signed in to agree to the terms, before the first use or when they have changed
 * (decision terms-consent). Who does not agree can sign out, take the data along, or delete the account.
 */
export default function ConsentPage() {
  return useHydrated() ? <ConsentQuestion /> : <AuthSkeleton text={m.loading()} />
}

function ConsentQuestion() {
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ status: 'loading' })
  const loading = stage.status === 'loading'
  const target = redirectTarget()
  const continueToTarget = () => navigate(href(stripLocale(target)), { replace: true })

  useEffect(() => {
    if (!loading) return
    const aborter = new AbortController()
    const open = async () => {
      const logIn = () => navigate(href(paths.login(target)), { replace: true })
      if (!hasStoredSession()) return logIn()
      try {
        const { current_version, given } = await call(getConsent, {}, { signal: aborter.signal })
        const user = getStoredSession()?.user
        if (!user) return logIn()
        if (given?.version === current_version) return navigate(href(stripLocale(target)), { replace: true })
        setStage({ status: 'asking', user, earlier: given })
      } catch (error) {
        if (aborter.signal.aborted) return
        if (!hasStoredSession()) return logIn()
        setStage({ status: 'failed', failure: apiFailure(error) })
      }
      return undefined
    }
    void open()
    return () => aborter.abort()
  }, [loading, navigate, target])

  switch (stage.status) {
    case 'loading':
      return <AuthSkeleton text={m.loading()} />
    case 'failed':
      return (
        <>
          <PageHeader title={m.consent_title()} />
          <Card className="grid gap-5">
            <AuthFailureAlert failure={stage.failure} />
            <Button variant="primary" size="lg" onClick={() => setStage({ status: 'loading' })}>
              {m.action_retry()}
            </Button>
          </Card>
        </>
      )
    case 'asking': {
      const { user, earlier } = stage
      const onAgreed = async () => {
        rememberConsent(user.id)
        await continueToTarget()
      }
      return <Question user={user} earlier={earlier} onAgreed={onAgreed} />
    }
  }
}

type QuestionProps = { user: User; earlier: Consent['given']; onAgreed: () => Promise<void> }

function Question({ user, earlier, onAgreed }: QuestionProps) {
  const [disagrees, setDisagrees] = useState(false)
  useLeaveWithSession(user.id)
  return (
    <UserContext value={user}>
      <PageHeader title={earlier ? m.consent_title_changed() : m.consent_title()}>
        {earlier ? m.consent_intro_changed({ date: formatDate(earlier.at) }) : m.consent_intro()}
      </PageHeader>
      <Card>
        <AgreeForm onAgreed={onAgreed} />
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
        <Suspense fallback={<AuthSkeleton text={m.loading()} />}>
          <DeclineTermsOptions />
        </Suspense>
      )}
    </UserContext>
  )
}

/** Leaves the page when the session ends, here or in another tab; another user who signed in meanwhile is asked again. */
function useLeaveWithSession(userId: string) {
  useEffect(
    () =>
      watchSession(userId, {
        onSignedOut: () =>
          isSigningOut() ? location.assign(href(paths.home())) : loadPage(href(paths.login(currentPath()))),
        onUserUpdated: () => undefined,
        onUserChanged: () => location.reload(),
      }),
    [userId],
  )
}
