import type { Factor } from '@supabase/auth-js'
import { CircleCheck } from 'lucide-react'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import { type AuthResult, authRequest } from '~/auth/auth-request'
import { fetchDrafts } from '~/auth/draft-handover'
import { verifiedFactors } from '~/auth/factors'
import { focusOnMount } from '~/auth/focus-on-mount'
import { OpeningFailed, useOpened } from '~/auth/Opened'
import { FactorStep } from '~/auth/second-factor/FactorChallenge'
import { sendIntentOf } from '~/auth/send-intent'
import { useHydrated } from '~/lib/page/browser-state'
import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import type { Route } from './+types/reset-password.route'
import { useLinkFragment } from './link-fragment.ts'
import type { LinkTokens } from './link-session.ts'
import { ChoosePassword } from './ResetPasswordForm.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.reset_title(), description: m.reset_description(), indexed: false })

/**
 * The session of a recovery link. It is never stored: a user who is signed in here stays signed in, and the new password
 * is first used at the next sign-in.
 */
type Recovery = {
  email: string
  userId: string
  client: RecoveryClient
  /** The second factors, one of which the link's session must be verified with before it can set a password. */
  factors: Factor[]
  /** What they wanted when they asked for the link; undefined: nothing this browser knows of. */
  wanted: string | undefined
}

type RecoveryClient = ReturnType<typeof import('~/lib/session/session.client')['createTransientAuth']>

/** Opens the session of a recovery link, which the server checks. */
const openRecovery = (tokens: LinkTokens) =>
  authRequest<Recovery>(m.error_unexpected(), async ({ openTransientSession }) => {
    const { client, session, error } = await openTransientSession(tokens)
    if (error) return { data: null, error }
    const { user } = session
    const wanted = sendIntentOf(user) ?? undefined
    const factors = verifiedFactors(user)
    return { data: { email: shownEmail(user), userId: user.id, client, factors, wanted }, error: null }
  })

/** Sets the new password, which ends every other session of the account, and then ends the session of the link. */
const completeRecovery = ({ client, userId }: Recovery, password: string) =>
  authRequest(m.error_unexpected(), async ({ auth, currentSession }) => {
    const { error } = await client.updateUser({ password })
    if (error) return { data: null, error }
    await client.signOut({ scope: 'local' })
    // the same person was signed in here: that session has just ended on the server
    if ((await currentSession().catch(() => null))?.user.id === userId) await auth.signOut({ scope: 'local' })
    return { data: null, error: null }
  })

type Step = { status: 'factor' | 'form' | 'done'; recovery: Recovery }

const to = (status: Step['status'], recovery: Recovery): AuthResult<Step> => ({
  state: 'done',
  data: { status, recovery },
})

/** No other attempt helps: the link is used up, too old or damaged. */
const linkOver = (text: string): AuthResult<Step> => ({
  state: 'failed',
  failure: { code: undefined, text, linkExpired: true },
})

export default function ResetPasswordPage() {
  return useHydrated() ? <ResetPassword /> : <AuthSkeleton text={m.loading()} />
}

function ResetPassword() {
  const fragment = useLinkFragment()
  const [step, setStep] = useOpened<Step>(async () => {
    if (fragment.state === 'incomplete') return linkOver(m.reset_tokens_missing())
    if (fragment.state !== 'tokens') return linkOver(m.reset_link_over())
    const opened = await openRecovery(fragment)
    if (opened.state === 'failed') return opened.failure.linkExpired ? linkOver(m.reset_link_over()) : opened
    return to(opened.data.factors.length > 0 ? 'factor' : 'form', opened.data)
  })

  if (!step) return <AuthSkeleton text={m.loading()} />
  if (step.state === 'failed')
    return (
      <OpeningFailed title={m.reset_title()} failure={step.failure} onRetry={() => setStep(undefined)}>
        {step.failure.linkExpired && (
          <ButtonLink to={paths.forgotPassword()} variant="primary" size="lg">
            {m.reset_ask_again()}
          </ButtonLink>
        )}
      </OpeningFailed>
    )
  const { status, recovery } = step.data
  switch (status) {
    case 'factor':
      return (
        <FactorStep
          factors={recovery.factors}
          client={recovery.client}
          onVerified={() => setStep(to('form', recovery))}
        />
      )
    case 'form':
      return (
        <ChoosePassword
          email={recovery.email}
          intro={m.reset_intro({ email: recovery.email })}
          savePassword={(password) => completeRecovery(recovery, password)}
          onDone={async () => {
            await fetchDrafts(recovery.userId)
            setStep(to('done', recovery))
          }}
          onExpired={() => setStep(linkOver(m.reset_link_over()))}
        />
      )
    case 'done':
      return (
        <>
          <h1 ref={focusOnMount} tabIndex={-1} className="outline-none pb-6 text-3xl font-extrabold sm:text-4xl">
            {m.reset_done()}
          </h1>
          <Card className="grid gap-4">
            <CircleCheck aria-hidden="true" className="size-10 text-good" strokeWidth={1.5} />
            <p>{m.reset_done_text()}</p>
            <ButtonLink to={paths.login(recovery.wanted)} variant="primary" size="lg">
              {m.action_log_in()}
            </ButtonLink>
          </Card>
        </>
      )
  }
}
