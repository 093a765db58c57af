import { type ReactNode, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { getOwnSanction, type OwnSanction } from '#contract/sanctions.ts'
import { toFailure } from '~/auth/auth-request'
import { AuthSkeleton, useOpened } from '~/auth/Opened'
import { call } from '~/lib/http/api'
import { useHydrated } from '~/lib/page/browser-state'
import { hasStoredSession } from '~/lib/session/stored-session'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'

type Props = {
  /** Returns the token of an emailed link; without one, the newest sanction of the signed-in user is shown. */
  readToken?: () => string | undefined
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
  return useHydrated() ? <Sanction {...props} /> : <AuthSkeleton />
}

const SIGNED_OUT_CODES: unknown[] = ['signed_out', 'session_ended']

function Sanction({ readToken = () => undefined, title, path, none, children }: Props) {
  const [token] = useState(readToken)
  const logIn = (
    <ButtonLink to={paths.login(path)} variant="primary" size="lg">
      {m.action_log_in()}
    </ButtonLink>
  )
  const { data, placeholder } = useOpened<OwnSanction | 'none' | 'signed-out'>({
    title,
    async open(signal) {
      if (token === undefined && !hasStoredSession()) return 'signed-out'
      const asker = token === undefined ? { asUser: true as const } : {}
      return call(getOwnSanction, { token }, { signal, ...asker }).catch((error: unknown) => {
        const { code } = toFailure(error)
        if (SIGNED_OUT_CODES.includes(code)) return 'signed-out'
        if (code === 'nothing_to_appeal' && none) return 'none'
        throw error
      })
    },
    wayOut({ code }) {
      if (code === 'appeal_link_invalid') return logIn
      return code === 'nothing_to_appeal' ? null : undefined // another try would find none either
    },
  })
  if (!data) return placeholder
  if (data === 'none') return none
  if (data !== 'signed-out') return children(data, token)
  return (
    <>
      <PageHeader title={title} />
      <Card className="grid gap-5">
        <p>{m.suspended_sign_in()}</p>
        {logIn}
      </Card>
    </>
  )
}
