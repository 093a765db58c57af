import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AuthFailureAlert } from './AuthFailureAlert.tsx'
import { AuthSkeleton } from './AuthSkeleton.tsx'
import type { AuthFailure } from './auth-error-text.ts'
import { focusOnMount } from './focus-on-mount.ts'
import { acceptLinkSession, inspectLink, type LinkTokens, revokeLinkSession } from './link-session.ts'
import { clearPendingSignUp } from './pending-sign-up.ts'

type Props = {
  tokens: LinkTokens
  /** Called when the server no longer accepts the link. */
  onExpired: () => void
}

type Stage =
  | { status: 'checking' }
  /** Somebody else is signed in. */
  | { status: 'asking'; email: string; signedInAs: string }
  | { status: 'failed'; failure: AuthFailure }

/** Signs in with a confirmation link, after asking when somebody else is signed in (decision 0065). */
export function ConfirmEmailLink({ tokens, onExpired }: Props) {
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ status: 'checking' })
  const [pending, setPending] = useState<'continue' | 'stay' | null>(null)

  const fail = (failure: AuthFailure) => {
    setPending(null)
    if (failure.linkExpired) onExpired()
    else setStage({ status: 'failed', failure })
  }
  const acceptLink = async (replaceSession: boolean) => {
    const result = await acceptLinkSession(tokens, { replaceSession })
    if (result.state === 'failed') return fail(result.failure)
    clearPendingSignUp()
    toast.success(m.verify_done())
    await navigate(href(paths.dashboard()), { replace: true })
  }

  const handleChecked = useEffectEvent((checked: Awaited<ReturnType<typeof inspectLink>>) => {
    if (checked.state === 'failed') return fail(checked.failure)
    const { email, signedInAs } = checked.data
    if (signedInAs === null) void acceptLink(false)
    else setStage({ status: 'asking', email, signedInAs })
  })
  const checking = stage.status === 'checking'
  useEffect(() => {
    if (!checking) return
    let cancelled = false
    void inspectLink(tokens).then((checked) => {
      if (!cancelled) handleChecked(checked)
    })
    return () => {
      cancelled = true
    }
  }, [checking, tokens])

  if (stage.status === 'checking') return <AuthSkeleton text={m.verify_checking()} />
  if (stage.status === 'failed') {
    return (
      <>
        <PageHeader title={m.verify_failed_title()} />
        <Card className="grid gap-5">
          <AuthFailureAlert failure={stage.failure} />
          <Button variant="primary" size="lg" onClick={() => setStage({ status: 'checking' })}>
            {m.action_retry()}
          </Button>
        </Card>
      </>
    )
  }
  const continueWithLink = () => {
    if (pending) return
    setPending('continue')
    void acceptLink(true)
  }
  const keepCurrentSession = async () => {
    if (pending) return
    setPending('stay')
    await revokeLinkSession(tokens)
    await navigate(href(paths.dashboard()), { replace: true })
  }
  return (
    <section aria-labelledby="switch-title">
      <h1
        id="switch-title"
        ref={focusOnMount}
        tabIndex={-1}
        className="outline-none pb-6 text-3xl font-extrabold sm:text-4xl"
      >
        {m.verify_switch_title()}
      </h1>
      <Card className="grid gap-5">
        <p className="wrap-anywhere">{m.verify_switch_text({ current: stage.signedInAs, next: stage.email })}</p>
        <Button
          variant="primary"
          size="lg"
          className="text-balance wrap-anywhere"
          pending={pending === 'continue'}
          onClick={continueWithLink}
        >
          {m.verify_switch_continue({ email: stage.email })}
        </Button>
        <Button
          size="lg"
          className="text-balance wrap-anywhere"
          pending={pending === 'stay'}
          onClick={() => void keepCurrentSession()}
        >
          {m.verify_switch_stay({ email: stage.signedInAs })}
        </Button>
      </Card>
    </section>
  )
}
