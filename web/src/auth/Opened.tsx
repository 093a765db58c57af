import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { reportBug } from '~/lib/http/use-attempt'
import { useHydrated } from '~/lib/page/browser-state'
import { isSignedIn } from '~/lib/session/tab-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { isLinkExpired } from './auth-request.ts'

/** Renders a page that depends on its address or on what the browser stores once that is known: the prerendered page is grey shapes. */
export const hydrated = (Page: ComponentType) =>
  function HydratedPage() {
    return useHydrated() ? <Page /> : <AuthSkeleton />
  }

type Options<T> = {
  /** The title of the page that says why there is nothing to show. */
  title: string
  /** Asks the server what there is to show; resolves to undefined when the page is being left. */
  open: (signal: AbortSignal) => Promise<T | undefined>
  /** Shown while it is asked. */
  loadingText?: string
  /** Leaves for /login when nobody is signed in, or any more; for pages of those who are. */
  logIn?: () => Promise<undefined>
  /** Called in place of showing that the link has expired. */
  onExpired?: () => void
  /** Returns the way out of a failure in place of another try, which undefined leaves. */
  wayOut?: (failure: unknown) => ReactNode
}

/** Asks the server what a page has to show (`data`). Until it is known, and when that fails, the page is `placeholder`. */
export function useOpened<T>({ title, open, loadingText, logIn, onExpired, wayOut }: Options<T>) {
  const [{ data, failure }, setState] = useState<{ data?: T | undefined; failure?: unknown }>({})
  const fail = (error: unknown) => {
    if (isLinkExpired(error) && onExpired) onExpired()
    else setState({ failure: reportBug(error) })
  }
  const isSignedOut = () => logIn && !isSignedIn()
  const start = useEffectEvent(async (signal: AbortSignal) => (isSignedOut() ? logIn?.() : open(signal)))
  const end = useEffectEvent((error: unknown) => (isSignedOut() ? void logIn?.() : fail(error)))
  const isOpening = data === undefined && !failure
  useEffect(() => {
    if (!isOpening) return
    const aborter = new AbortController()
    const { signal } = aborter
    start(signal).then(
      (opened) => signal.aborted || setState({ data: opened }),
      (error: unknown) => signal.aborted || end(error),
    )
    return () => aborter.abort()
  }, [isOpening])
  const out = failure ? wayOut?.(failure) : undefined
  return {
    data,
    show: (next: T) => setState({ data: next }),
    fail,
    placeholder: failure ? (
      <>
        <PageHeader title={title} />
        <Card className="grid gap-5">
          <AnnouncedFailure failure={failure} />
          {out === undefined ? (
            <Button variant="primary" size="lg" onClick={() => setState({})}>
              {m.action_retry()}
            </Button>
          ) : (
            out
          )}
        </Card>
      </>
    ) : (
      <AuthSkeleton text={loadingText} />
    ),
  }
}

/** Fills a page with grey shapes until what it shows is known. */
export function AuthSkeleton({ text = m.loading() }: { text?: string | undefined }) {
  return (
    <>
      <noscript>
        <p className="pb-6 font-semibold">{m.auth_needs_scripts()}</p>
      </noscript>
      <Loading text={text}>
        <Skeleton className="mb-6 h-10 w-3/4" />
        <Card className="grid gap-4">
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="mt-2 h-13" />
          <Skeleton className="h-11" />
        </Card>
      </Loading>
    </>
  )
}
