import type { Factor } from '@supabase/auth-js'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { AuthForm, focusOnMount } from '~/auth/AuthForm'
import { type FactorClient, FactorName, factorName, supportsPasskeys } from '~/auth/factors'
import { useForm } from '~/lib/form/use-form'
import { codeOf } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { verifyCode, verifyPasskey } from './factor-calls.ts'

type Props = {
  /** The factors to choose from; at least one. */
  factors: Factor[]
  client?: FactorClient | undefined
  onVerified: () => void | Promise<void>
}

/** Shows the second step of signing in as a page. */
export const FactorStep = (props: Props) => (
  <>
    <PageHeader title={m.two_step_title()}>{m.two_step_intro()}</PageHeader>
    <Card>
      <FactorChallenge {...props} />
    </Card>
  </>
)

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
            <Button
              key={factor.id}
              icon={factor.factor_type === 'totp' ? Smartphone : KeyRound}
              onClick={() => setChosenId(factor.id)}
            >
              <FactorName factor={factor} />
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
  const form = useForm({
    defaultValues: { code: '' },
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code.replace(/\D/g, '')) || m.factor_code_format() }),
    async onSubmit({ code }) {
      await verifyCode(factorId, code, client)
      await onVerified()
    },
    fieldError: (error) => (CODE_FIELD_CODES.has(codeOf(error)) ? { code: m.factor_code_wrong() } : undefined),
  })
  return (
    <AuthForm form={form} submitText={submitText ?? m.factor_confirm()} pendingText={m.factor_checking()}>
      <TextField
        label={m.factor_code()}
        hint={m.factor_code_hint()}
        inputMode="numeric"
        autoComplete="one-time-code"
        ref={focused ? focusOnMount : undefined}
        {...form.register('code')}
      />
    </AuthForm>
  )
}

/** Opens the browser's dialog for a passkey. */
function PasskeyPrompt({ factor, client, onVerified }: { factor: Factor } & Pick<Props, 'client' | 'onVerified'>) {
  const form = useForm({
    async onSubmit() {
      await verifyPasskey(factor.id, client)
      await onVerified()
    },
  })
  return (
    <AuthForm form={form} icon={KeyRound} submitText={m.factor_passkey_use()} pendingText={m.factor_passkey_waiting()}>
      <p>{verbatim(m.factor_passkey_ask({ name: factorName(factor) }), factorName(factor))}</p>
    </AuthForm>
  )
}
