import type { Factor } from '@supabase/auth-js'
import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { parseUserAgent } from '#contract/user-agent.ts'
import type { FactorType } from '~/auth/factors'
import { emailCode } from '~/auth/pending-sign-up'
import { codeOf } from '~/lib/http/api'
import { useAttempt } from '~/lib/http/use-attempt'
import { getSession } from '~/lib/session/tab-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { CodeForm } from './FactorChallenge.tsx'
import { type AppEnrolment, enrolApp, enrolPasskey, unusedName } from './factor-calls.ts'
import { Reauthentication } from './Reauthentication.tsx'
import { adoptOpened, type OpenedSession } from './reauthenticate.ts'

type Props = {
  type: FactorType
  /** The factors there are, whose names are taken. */
  factors: Factor[]
  onEnrolled: () => void | Promise<void>
}

/**
 * Sets up an authenticator app or a passkey as a second factor. The first one needs a session that an emailed code or link has just
 * begun: otherwise a code is emailed and asked for, so that nobody who finds a browser signed in, or knows the password, can lock
 * its owner out.
 */
export function EnrolFactor({ type, factors, onEnrolled }: Props) {
  const { pending, failure, attempt } = useAttempt()
  const [asksAgain, setAsksAgain] = useState(false)
  const [app, setApp] = useState<AppEnrolment>()

  const start = async () => {
    try {
      if (type === 'totp') return setApp(await enrolApp(unusedName(m.factor_app(), factors)))
      await enrolPasskey(passkeyName(factors))
    } catch (error) {
      const user = getSession()?.user
      if (!user || codeOf(error) !== 'reauthentication_needed') throw error
      await emailCode(shownEmail(user), false)
      return setAsksAgain(true)
    }
    return onEnrolled()
  }
  const startFresh = (session: OpenedSession) =>
    attempt(async () => {
      await adoptOpened(session).finally(() => setAsksAgain(false))
      await start()
    })

  if (asksAgain) {
    return (
      <div className="grid gap-5">
        <p>{m.factor_again()}</p>
        <Reauthentication isCodeSent onOpened={startFresh} />
      </div>
    )
  }
  if (app) return <AppSetup app={app} onEnrolled={onEnrolled} />
  return (
    <div className="grid gap-5">
      <p>{type === 'totp' ? m.factor_app_intro() : m.factor_passkey_intro()}</p>
      <AnnouncedFailure failure={failure} />
      <Button
        variant="primary"
        pending={pending !== null}
        pendingText={m.factor_starting()}
        onClick={() => void attempt(start)}
      >
        {type === 'totp' ? m.factor_app_start() : m.factor_passkey_start()}
      </Button>
    </div>
  )
}

/** Names a passkey after where it is made: 'Passkey (Firefox on Windows)' says more than a number. */
function passkeyName(factors: Factor[]): string {
  const { browser, system } = parseUserAgent(navigator.userAgent)
  return unusedName(browser && system ? m.device_on_system({ browser, system }) : m.factor_passkey(), factors)
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
        <p translate="no" className="font-mono text-lg select-all">
          {app.secret.match(SECRET_GROUP)?.join(' ')}
        </p>
      </div>
      <CodeForm factorId={app.id} submitText={m.factor_app_done()} onVerified={onEnrolled} />
    </div>
  )
}
