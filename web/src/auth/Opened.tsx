import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { AuthFailureAlert } from './AuthFailureAlert.tsx'
import type { AuthFailure } from './auth-error-text.ts'
import type { AuthResult } from './auth-request.ts'

/**
 * Asks the server what a page has to show; again whenever the result is set to undefined.
 *
 * @param open never rejects; resolves to undefined when the page is being left
 * @returns the result, undefined until it is known, and its setter
 */
export function useOpened<T>(open: (signal: AbortSignal) => Promise<AuthResult<T> | undefined>) {
  const [result, setResult] = useState<AuthResult<T>>()
  const start = useEffectEvent(open)
  const isOpening = result === undefined
  useEffect(() => {
    if (!isOpening) return
    const aborter = new AbortController()
    const { signal } = aborter
    void start(signal).then((opened) => {
      if (!signal.aborted) setResult(opened)
    })
    return () => aborter.abort()
  }, [isOpening])
  return [result, setResult] as const
}

type Props = {
  title: string
  failure: AuthFailure
  onRetry: () => void
  /** The way out in place of another try. */
  children?: ReactNode
}

/** Says why a page has nothing to show. */
export const OpeningFailed = ({ title, failure, onRetry, children }: Props) => (
  <>
    <PageHeader title={title} />
    <Card className="grid gap-5">
      <AuthFailureAlert failure={failure} />
      {children || (
        <Button variant="primary" size="lg" onClick={onRetry}>
          {m.action_retry()}
        </Button>
      )}
    </Card>
  </>
)
