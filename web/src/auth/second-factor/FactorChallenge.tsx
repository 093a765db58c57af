import type { Factor } from '@supabase/auth-js'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { type FactorClient, factorName, supportsPasskeys } from '~/auth/factors'
import { focusOnMount } from '~/auth/focus-on-mount'
import { useForm } from '~/lib/form/use-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { verifyCode, verifyPasskey } from './factor-calls.ts'

type Props = {
  /** The factors to choose from; at least one. */
  factors: Factor[]
  client?: FactorClient | undefined
  onVerified: () => void | Promise<void>
}

/** Asks for one of the user's second factors: the passkey first, where this browser can use one. */
export function FactorChallenge({ factors, client, onVerified }: Props) {
  const [chosenId, setChosenId] = useState<string>()
  const passkey = supportsPasskeys() ? factors.find(({ factor_type }) => factor_type === 'webauthn') : undefined
  const app = factors.find(({ factor_type }) => factor_type === 'totp')
  const chosen = factors.find(({ id }) => id === chosenId) ?? passkey ?? app ?? factors[0]
  const others = factors.filter(({ id }) => id !== chosen?.id)
  if (!chosen) return null

  return (
    <div className="grid gap-5">
      {chosen.factor_type === 'totp' ? (
        <CodeForm key={chosen.id} factorId={chosen.id} focused client={client} onVerified={onVerified} />
      ) : (
        <PasskeyPrompt key={chosen.id} factor={chosen} client={client} onVerified={onVerified} />
      )}
      {others.length > 0 && (
        <div className="grid gap-2 border-t border-line pt-4">
          <p className="text-sm text-ink-soft">{m.factor_other()}</p>
          {others.map((factor) => (
            <Button key={factor.id} onClick={() => setChosenId(factor.id)}>
              {factor.factor_type === 'totp' ? (
                <Smartphone aria-hidden="true" className="size-5" />
              ) : (
                <KeyRound aria-hidden="true" className="size-5" />
              )}
              <span className="min-w-0 wrap-anywhere">{factorName(factor)}</span>
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

type CodeFormProps = {
  factorId: string
  submitText?: string
  /** Whether the field takes the focus, because it is what the person has just asked for. */
  focused?: boolean
} & Pick<Props, 'client' | 'onVerified'>

/** Error codes about what was typed, which are shown at the field. */
const CODE_FIELD_CODES = new Set<string | undefined>(['mfa_verification_failed', 'validation_failed'])

/** Asks for the code of an authenticator app. */
export function CodeForm({ factorId, submitText, focused = false, client, onVerified }: CodeFormProps) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { register, pending, formProps } = useForm({
    defaultValues: { code: '' },
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code.replace(/\D/g, '')) || m.factor_code_format() }),
    async onSubmit({ code }) {
      setFailure(null)
      const outcome = await verifyCode(factorId, code, client)
      if (outcome.state === 'done') await onVerified()
      else if (CODE_FIELD_CODES.has(outcome.failure.code)) return { code: m.factor_code_wrong() }
      else setFailure(outcome.failure)
      return undefined
    },
  })
  return (
    <form method="post" noValidate className="grid gap-5" {...formProps}>
      <TextField
        label={m.factor_code()}
        hint={m.factor_code_hint()}
        inputMode="numeric"
        autoComplete="one-time-code"
        ref={focused ? focusOnMount : undefined}
        {...register('code')}
      />
      <AuthFailureAlert failure={failure} />
      <Button type="submit" variant="primary" size="lg" pending={pending} pendingText={m.factor_checking()}>
        {submitText ?? m.factor_confirm()}
      </Button>
    </form>
  )
}

/** Opens the browser's dialog for a passkey. */
function PasskeyPrompt({ factor, client, onVerified }: { factor: Factor } & Pick<Props, 'client' | 'onVerified'>) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [pending, setPending] = useState(false)
  const verify = async () => {
    setFailure(null)
    setPending(true)
    const outcome = await verifyPasskey(factor.id, client)
    if (outcome.state === 'done') await onVerified()
    else setFailure(outcome.failure)
    setPending(false)
  }
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">{m.factor_passkey_ask({ name: factorName(factor) })}</p>
      <AuthFailureAlert failure={failure} />
      <Button
        variant="primary"
        size="lg"
        pending={pending}
        pendingText={m.factor_passkey_waiting()}
        onClick={() => void verify()}
      >
        <KeyRound aria-hidden="true" className="size-5" />
        {m.factor_passkey_use()}
      </Button>
    </div>
  )
}
