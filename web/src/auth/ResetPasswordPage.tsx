import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { useHydrated } from '~/lib/use-hydrated'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AuthSkeleton } from './AuthSkeleton.tsx'
import type { AuthFailure } from './auth-error-text.ts'
import { FailureNotice } from './FailureNotice.tsx'
import { focusOnArrival } from './focus-on-arrival.ts'
import type { LinkFragment } from './link-fragment.ts'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'
import { openRecovery, type Recovery } from './recovery.ts'
import { useLinkFragment } from './use-link-fragment.ts'

type Stage =
  | { at: 'loading' }
  /** `retry`: asking once more may help. */
  | { at: 'error'; failure: AuthFailure; retry: boolean }
  | { at: 'form'; recovery: Recovery }
  | { at: 'done' }

export function ResetPasswordPage() {
  return useHydrated() ? <ResetPassword /> : <AuthSkeleton text={m.loading()} />
}

const linkError = (text: string): Stage => ({ at: 'error', failure: { code: undefined, text }, retry: false })

const firstStage = ({ state }: LinkFragment): Stage => {
  if (state === 'tokens') return { at: 'loading' }
  return linkError(state === 'incomplete' ? m.reset_tokens_missing() : m.reset_link_over())
}

function ResetPassword() {
  const fragment = useLinkFragment()
  const [stage, setStage] = useState(() => firstStage(fragment))
  const loading = stage.at === 'loading'

  useEffect(() => {
    if (!loading || fragment.state !== 'tokens') return
    let left = false
    const open = async () => {
      const opened = await openRecovery(fragment)
      if (left) return
      if (opened.state === 'done') setStage({ at: 'form', recovery: opened.data })
      else if (opened.failure.linkOver) setStage(linkError(m.reset_link_over()))
      else setStage({ at: 'error', failure: opened.failure, retry: true })
    }
    void open()
    return () => {
      left = true
    }
  }, [loading, fragment])

  switch (stage.at) {
    case 'loading':
      return <AuthSkeleton text={m.loading()} />
    case 'error':
      return (
        <>
          <PageHeader title={m.reset_title()} />
          <Card className="grid gap-5">
            <FailureNotice failure={stage.failure} />
            {stage.retry ? (
              <Button variant="primary" size="lg" onClick={() => setStage({ at: 'loading' })}>
                {m.action_retry()}
              </Button>
            ) : (
              <ButtonLink to={paths.forgotPassword()} variant="primary" size="lg">
                {m.reset_ask_again()}
              </ButtonLink>
            )}
          </Card>
        </>
      )
    case 'form':
      return (
        <>
          <PageHeader title={m.reset_title()}>
            <p className="wrap-anywhere">{m.reset_intro({ email: stage.recovery.email })}</p>
          </PageHeader>
          <Card>
            <ResetPasswordForm
              recovery={stage.recovery}
              onDone={() => setStage({ at: 'done' })}
              onOver={() => setStage(linkError(m.reset_link_over()))}
            />
          </Card>
        </>
      )
    case 'done':
      return (
        <>
          <h1 ref={focusOnArrival} tabIndex={-1} className="outline-none pb-6 text-3xl font-extrabold sm:text-4xl">
            {m.reset_done()}
          </h1>
          <Card className="grid gap-4">
            <CircleCheck aria-hidden="true" className="size-10 text-good" strokeWidth={1.5} />
            <p>{m.reset_done_text()}</p>
            <ButtonLink to={paths.login()} variant="primary" size="lg">
              {m.action_log_in()}
            </ButtonLink>
          </Card>
        </>
      )
  }
}
