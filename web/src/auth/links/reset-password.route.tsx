import type { Factor } from '@supabase/auth-js'
import { CircleCheck } from 'lucide-react'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { focusOnMount } from '~/auth/AuthForm'
import { AuthFailure, authRequest, isLinkExpired } from '~/auth/auth-request'
import { fetchDrafts } from '~/auth/draft-handover'
import { verifiedFactors } from '~/auth/factors'
import { hydrated, useOpened } from '~/auth/Opened'
import { sendIntentOf } from '~/auth/pending-sign-up'
import { FactorStep } from '~/auth/second-factor/FactorChallenge'
import { verbatim } from '~/lib/i18n/verbatim'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { TransientAuth } from '~/lib/session/session.client'
import { endSession } from '~/lib/session/sign-out'
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
  client: TransientAuth
  /** The second factors, one of which the link's session must be verified with before it can set a password. */
  factors: Factor[]
  /** What they wanted when they asked for the link; undefined: nothing this browser knows of. */
  wanted: string | undefined
}

/** Opens the session of a recovery link, which the server checks. */
const openRecovery = (tokens: LinkTokens) =>
  authRequest<Recovery>(m.error_unexpected(), async ({ openTransientSession }) => {
    const { client, session, error } = await openTransientSession(tokens)
    if (error) return { data: null, error }
    const { user } = session
    const [factors, wanted] = [verifiedFactors(user), sendIntentOf(user) ?? undefined]
    return { data: { email: shownEmail(user), userId: user.id, client, factors, wanted }, error: null }
  })

/** Sets the new password, which ends every other session of the account, and then ends the session of the link. */
const completeRecovery = ({ client, userId }: Recovery, password: string) =>
  authRequest(m.error_unexpected(), async ({ currentSession }) => {
    const { error } = await client.updateUser({ password })
    if (error) return { data: null, error }
    await client.signOut({ scope: 'local' })
    // the same person was signed in here: that session has just ended on the server
    if ((await currentSession().catch(() => null))?.user.id === userId) await endSession()
    return { data: null, error: null }
  })

type Step = { status: 'factor' | 'form' | 'done'; recovery: Recovery }

/** No other attempt helps: the link is used up, too old or damaged. */
const linkOver = (text: string) => new AuthFailure(text, { linkExpired: true })

export default hydrated(function ResetPasswordPage() {
  const fragment = useLinkFragment()
  const { data, show, fail, placeholder } = useOpened<Step>({
    title: m.reset_title(),
    async open() {
      if (fragment.state !== 'tokens')
        throw linkOver(fragment.state === 'incomplete' ? m.reset_tokens_missing() : m.reset_link_over())
      const recovery = await openRecovery(fragment).catch((error: unknown) => {
        throw isLinkExpired(error) ? linkOver(m.reset_link_over()) : error
      })
      return { status: recovery.factors.length > 0 ? 'factor' : 'form', recovery }
    },
    wayOut: (failure) =>
      isLinkExpired(failure) ? (
        <ButtonLink to={paths.forgotPassword()} variant="primary" size="lg">
          {m.reset_ask_again()}
        </ButtonLink>
      ) : undefined,
  })

  if (!data) return placeholder
  const { status, recovery } = data
  switch (status) {
    case 'factor':
      return (
        <FactorStep
          factors={recovery.factors}
          client={recovery.client}
          onVerified={() => show({ status: 'form', recovery })}
        />
      )
    case 'form':
      return (
        <ChoosePassword
          email={recovery.email}
          intro={verbatim(m.reset_intro({ email: recovery.email }), recovery.email)}
          savePassword={(password) => completeRecovery(recovery, password)}
          onDone={async () => {
            await fetchDrafts(recovery.userId)
            show({ status: 'done', recovery })
          }}
          onExpired={() => fail(linkOver(m.reset_link_over()))}
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
})
