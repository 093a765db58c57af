import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AuthSkeleton } from './AuthSkeleton.tsx'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { focusOnArrival } from './focus-on-arrival.ts'
import { checkLink, dropLinkSession, type LinkTokens, takeLinkSession } from './link-session.ts'
import { forgetSignUp } from './pending-sign-up.ts'

type Props = {
  tokens: LinkTokens
  /** The server takes the link no more. */
  onOver: () => void
}

type Stage =
  | { at: 'checking' }
  /** Somebody else is signed in. */
  | { at: 'asking'; email: string; signedInAs: string }
  | { at: 'failed'; failure: AuthFailure }

/** Opens the session of a confirmation link, after asking when somebody else is signed in (design decision 20). */
export function OpenLink({ tokens, onOver }: Props) {
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({ at: 'checking' })
  const [pending, setPending] = useState<'continue' | 'stay' | null>(null)

  const fail = (failure: AuthFailure) => {
    setPending(null)
    if (failure.linkOver) onOver()
    else setStage({ at: 'failed', failure })
  }
  const enter = async (instead: boolean) => {
    const taken = await takeLinkSession(tokens, { instead })
    if (taken.state === 'failed') return fail(taken.failure)
    forgetSignUp()
    toast.success(m.verify_done())
    await navigate(href(paths.dashboard()), { replace: true })
  }

  const go = useEffectEvent((checked: Awaited<ReturnType<typeof checkLink>>) => {
    if (checked.state === 'failed') return fail(checked.failure)
    const { email, signedInAs } = checked.data
    if (signedInAs === null) void enter(false)
    else setStage({ at: 'asking', email, signedInAs })
  })
  const checking = stage.at === 'checking'
  useEffect(() => {
    if (!checking) return
    let left = false
    void checkLink(tokens).then((checked) => {
      if (!left) go(checked)
    })
    return () => {
      left = true
    }
  }, [checking, tokens])

  if (stage.at === 'checking') return <AuthSkeleton text={m.verify_checking()} />
  if (stage.at === 'failed') {
    return (
      <>
        <PageHeader title={m.verify_failed_title()} />
        <Card className="grid gap-5">
          <FailureNotice failure={stage.failure} />
          <Button variant="primary" size="lg" onClick={() => setStage({ at: 'checking' })}>
            {m.action_retry()}
          </Button>
        </Card>
      </>
    )
  }
  const goOn = () => {
    if (pending) return
    setPending('continue')
    void enter(true)
  }
  const stay = async () => {
    if (pending) return
    setPending('stay')
    await dropLinkSession(tokens)
    await navigate(href(paths.dashboard()), { replace: true })
  }
  return (
    <section aria-labelledby="switch-title">
      <h1
        id="switch-title"
        ref={focusOnArrival}
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
          onClick={goOn}
        >
          {m.verify_switch_continue({ email: stage.email })}
        </Button>
        <Button
          size="lg"
          className="text-balance wrap-anywhere"
          pending={pending === 'stay'}
          onClick={() => void stay()}
        >
          {m.verify_switch_stay({ email: stage.signedInAs })}
        </Button>
      </Card>
    </section>
  )
}
