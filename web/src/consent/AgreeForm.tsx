import { useState } from 'react'
import { giveConsent } from '#contract/consent.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { SubmitButton } from '~/auth/SubmitButton'
import { TermsCheckbox } from '~/auth/TermsCheckbox'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { m } from '~/paraglide/messages'

type Fields = { terms: string }

/** Asks for the consent with the checkbox of the sign-up. */
export function AgreeForm({ onAgreed }: { onAgreed: () => Promise<void> }) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm<Fields>({
    defaultValues: { terms: '' },
    validate: ({ terms }) => ({ terms: terms !== '' || m.signup_terms_missing() }),
    onSubmit: agree,
  })

  async function agree() {
    setFailure(null)
    try {
      await call(giveConsent, { version: TERMS_VERSION, age_ok: true }, { withTimeout: true })
    } catch (error) {
      return setFailure(apiFailure(error))
    }
    await onAgreed()
  }

  return (
    <form method="post" noValidate className="grid gap-5" {...form.formProps}>
      <TermsCheckbox {...form.register('terms')} />
      <AuthFailureAlert failure={failure} />
      <SubmitButton pending={form.pending} pendingText={m.consent_pending()}>
        {m.consent_agree()}
      </SubmitButton>
    </form>
  )
}
