import type { Factor } from '@supabase/auth-js'
import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { authRequest } from '~/auth/auth-request'
import { verifiedFactors } from '~/auth/factors'
import { FactorChallenge } from '~/auth/second-factor/FactorChallenge'
import { validatePassword } from '~/auth/validators'
import { useForm } from '~/lib/form/use-form'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { PasswordField } from '~/ui/PasswordField'
import { Dialog } from '~/ui/signed-in/Dialog'

export type ReauthenticateDialogProps = {
  open: boolean
  /** Why the password is asked for. */
  reason: string
  /** What somebody does who has forgotten it. */
  withoutPassword: string
  onClose: () => void
  /** Called when the password was right. The token is valid until the promise settles. */
  onSignedIn: (token: string) => Promise<void>
}

type TransientAuth = ReturnType<typeof import('~/lib/session/session.client')['createTransientAuth']>
type OpenedSession = { client: TransientAuth; factors: Factor[] }

/**
 * Asks for the password again, and for the second step of an account that has one, before something that an unattended
 * browser must neither give away nor delete. The session of this browser stays as it is, so no other tab notices and no
 * draft is lost.
 */
export function ReauthenticateDialog({
  open,
  reason,
  withoutPassword,
  onClose,
  onSignedIn,
}: ReauthenticateDialogProps) {
  const [challenged, setChallenged] = useState<OpenedSession | null>(null)
  const close = () => {
    if (challenged) void endSession(challenged.client)
    setChallenged(null)
    onClose()
  }
  const handlePassword = async (session: OpenedSession) => {
    if (session.factors.length === 0) return withSession(session.client, onSignedIn)
    setChallenged(session)
    return undefined
  }
  const handleVerified = async ({ client }: OpenedSession) => {
    await withSession(client, onSignedIn)
    setChallenged(null)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={challenged ? m.two_step_title() : m.profile_again_title()}
      description={reason}
      initialFocus={() => document.querySelector<HTMLInputElement>('dialog input[name=password]')}
    >
      {challenged ? (
        <FactorChallenge
          factors={challenged.factors}
          client={challenged.client}
          onVerified={() => handleVerified(challenged)}
        />
      ) : (
        <PasswordForm withoutPassword={withoutPassword} onPassword={handlePassword} />
      )}
    </Dialog>
  )
}

type PasswordFormProps = Pick<ReauthenticateDialogProps, 'withoutPassword'> & {
  onPassword: (session: OpenedSession) => Promise<void>
}

function PasswordForm({ withoutPassword, onPassword }: PasswordFormProps) {
  const email = shownEmail(useUser())
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, pending, formProps } = useForm({
    defaultValues: { password: '' },
    validate: ({ password }) => ({ password: validatePassword(password) }),
    async onSubmit({ password }) {
      setFailure(null)
      const outcome = await openSession(email, password)
      if (outcome.state === 'done') {
        await onPassword(outcome.data)
        return undefined
      }
      if (outcome.failure.code === 'invalid_credentials') return { password: m.profile_again_wrong() }
      setFailure(outcome.failure)
      return undefined
    },
  })

  return (
    <form method="post" noValidate className="grid gap-5" {...formProps}>
      {/* tells password managers whose password this is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={m.auth_password()} autoComplete="current-password" {...register('password')} />
      <AuthFailureAlert failure={failure} />
      <Button type="submit" variant="primary" pending={pending} pendingText={m.profile_again_checking()}>
        {m.profile_again_continue()}
      </Button>
      <p className="text-sm text-ink-soft">{withoutPassword}</p>
    </form>
  )
}

/** Opens a session of its own with the password. */
const openSession = (email: string, password: string) =>
  authRequest<OpenedSession>(m.login_failed(), async ({ createTransientAuth }) => {
    const client = createTransientAuth()
    const { data, error } = await client.signInWithPassword({ email, password })
    return error ? { data: null, error } : { data: { client, factors: verifiedFactors(data.user) }, error }
  })

/** Runs `work` with the token of a session, and ends it on the server. */
async function withSession(client: TransientAuth, work: (token: string) => Promise<void>): Promise<void> {
  try {
    const { data } = await client.getSession()
    if (data.session) await work(data.session.access_token)
  } finally {
    await endSession(client)
  }
}

const endSession = (client: TransientAuth) => client.signOut({ scope: 'local' }).catch(() => {})
