import { type ReactNode, useEffect, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { getOwnSanction, type OwnSanction } from '#contract/sanctions.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import { AuthSkeleton } from '~/auth/AuthSkeleton'
import type { AuthFailure } from '~/auth/auth-error-text'
import { call } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { hasStoredSession } from '~/lib/session/stored-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'

type Props = {
  /** Returns the token of an emailed link; without one, the newest sanction of the signed-in user is shown. */
  readToken: () => string | undefined
  /** The title where it could not be loaded. */
  title: string
  /** The path of the page, to which signing in leads back. */
  path: string
  /** Shown when there is no sanction, in place of the error that says so. */
  none?: ReactNode
  children: (sanction: OwnSanction, token: string | undefined) => ReactNode
}

/** Shows a sanction once it has been loaded; meanwhile a skeleton, or why it failed. */
export function LoadedSanction(props: Props) {
  return useHydrated() ? <Sanction {...props} /> : <AuthSkeleton text={m.loading()} />
}

function Sanction({ readToken, title, path, none, children }: Props) {
  const [token] = useState(readToken)
  const [sanction, setSanction] = useState<OwnSanction>()
  const [failure, setFailure] = useState<AuthFailure | null>(() =>
    token === undefined && !hasStoredSession() ? { code: 'signed_out', text: '' } : null,
  )
  const isLoading = !sanction && !failure
  useEffect(() => {
    if (!isLoading) return
    const aborter = new AbortController()
    const input = token === undefined ? {} : { token }
    const options = { signal: aborter.signal, ...(token === undefined && { asUser: true as const }) }
    call(getOwnSanction, input, options)
      .then(setSanction)
      .catch((error: unknown) => {
        if (!aborter.signal.aborted) setFailure(apiFailure(error))
      })
    return () => aborter.abort()
  }, [isLoading, token])

  if (sanction) return children(sanction, token)
  if (!failure) return <AuthSkeleton text={m.loading()} />
  if (failure.code === 'nothing_to_appeal' && none) return none
  const isSignedOut = failure.code === 'signed_out' || failure.code === 'session_ended'
  const isLinkInvalid = failure.code === 'appeal_link_invalid'
  return (
    <>
      <PageHeader title={title} />
      <Card className="grid gap-5">
        {isSignedOut ? <p>{m.suspended_sign_in()}</p> : <AuthFailureAlert failure={failure} />}
        {isSignedOut || isLinkInvalid ? (
          <Link to={paths.login(path)} className={buttonClass('primary', 'lg')}>
            {m.action_log_in()}
          </Link>
        ) : (
          failure.code !== 'nothing_to_appeal' && (
            <Button variant="primary" size="lg" onClick={() => setFailure(null)}>
              {m.action_retry()}
            </Button>
          )
        )}
      </Card>
    </>
  )
}
