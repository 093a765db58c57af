import type { Factor } from '@supabase/auth-js'
import { useState } from 'react'
import { parseUserAgent } from '#contract/user-agent.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import type { FactorType } from '~/auth/factors'
import { validatePassword } from '~/auth/validators'
import { useForm } from '~/lib/form/use-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { PasswordField } from '~/ui/PasswordField'
import { CodeForm } from './FactorChallenge.tsx'
import { type AppEnrolment, enrolApp, enrolPasskey, signInAgain, unusedName } from './factor-calls.ts'

type Props = {
  type: FactorType
  email: string
  /** The factors there are, whose names are taken. */
  factors: Factor[]
  onEnrolled: () => void | Promise<void>
}

/** Sets up an authenticator app or a passkey as a second factor. Asks for the password first when the session is old. */
export function EnrolFactor({ type, email, factors, onEnrolled }: Props) {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [asksPassword, setAsksPassword] = useState(false)
  const [app, setApp] = useState<AppEnrolment>()

  const start = async () => {
    setFailure(null)
    setPending(true)
    const outcome =
      type === 'totp'
        ? await enrolApp(unusedName(m.factor_app(), factors))
        : await enrolPasskey(unusedName(passkeyName(), factors))
    setPending(false)
    if (outcome.state === 'failed') {
      if (outcome.failure.code === 'reauthentication_needed') setAsksPassword(true)
      else setFailure(outcome.failure)
    } else if (outcome.data) setApp(outcome.data)
    else await onEnrolled()
  }

  if (asksPassword) {
    return (
      <PasswordStep
        email={email}
        onSignedIn={async () => {
          setAsksPassword(false)
          await start()
        }}
      />
    )
  }
  if (app) return <AppSetup app={app} onEnrolled={onEnrolled} />
  return (
    <div className="grid gap-5">
      <p>{type === 'totp' ? m.factor_app_intro() : m.factor_passkey_intro()}</p>
      <AuthFailureAlert failure={failure} />
      <Button variant="primary" pending={pending} pendingText={m.factor_starting()} onClick={() => void start()}>
        {type === 'totp' ? m.factor_app_start() : m.factor_passkey_start()}
      </Button>
    </div>
  )
}

/** Names a passkey after where it is made: 'Passkey (Firefox on Windows)' says more than a number. */
function passkeyName(): string {
  const { browser, system } = parseUserAgent(navigator.userAgent)
  return browser && system ? m.device_on_system({ browser, system }) : m.factor_passkey()
}

const SECRET_GROUP = /.{1,4}/g

/** Shows the QR code and the key for an authenticator app, and asks for its first code. */
function AppSetup({ app, onEnrolled }: { app: AppEnrolment } & Pick<Props, 'onEnrolled'>) {
  return (
    <div className="grid gap-5">
      <p>{m.factor_app_scan()}</p>
      {/* white in the dark theme too: cameras expect dark on light */}
      <img
        src={app.qrCode}
        alt={m.factor_app_qr()}
        width={208}
        height={208}
        className="size-52 justify-self-center rounded-xl border border-line bg-white p-2"
      />
      <div className="grid gap-1">
        <p className="text-sm text-ink-soft">{m.factor_app_secret()}</p>
        <p className="font-mono text-lg wrap-anywhere select-all">{app.secret.match(SECRET_GROUP)?.join(' ')}</p>
      </div>
      <CodeForm factorId={app.id} submitText={m.factor_app_done()} onVerified={onEnrolled} />
    </div>
  )
}

/** Asks for the password, so that nobody who finds a browser signed in can lock its owner out. */
function PasswordStep({ email, onSignedIn }: { email: string; onSignedIn: () => Promise<void> }) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, pending, formProps } = useForm({
    defaultValues: { password: '' },
    validate: ({ password }) => ({ password: validatePassword(password) }),
    async onSubmit({ password }) {
      setFailure(null)
      const outcome = await signInAgain(email, password)
      if (outcome.state === 'done') await onSignedIn()
      else if (outcome.failure.code === 'invalid_credentials') return { password: m.profile_again_wrong() }
      else setFailure(outcome.failure)
      return undefined
    },
  })
  return (
    <form method="post" noValidate className="grid gap-5" {...formProps}>
      <p>{m.factor_password_first()}</p>
      {/* tells password managers whose password this is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={m.auth_password()} autoComplete="current-password" {...register('password')} />
      <AuthFailureAlert failure={failure} />
      <Button type="submit" variant="primary" pending={pending} pendingText={m.profile_again_checking()}>
        {m.profile_again_continue()}
      </Button>
    </form>
  )
}
