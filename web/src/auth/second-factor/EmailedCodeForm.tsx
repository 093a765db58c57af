import { type ChangeEvent, useRef } from 'react'
import { AuthForm, focusOnMount } from '~/auth/AuthForm'
import { AuthFailure } from '~/auth/auth-request'
import { useForm } from '~/lib/form/use-form'
import { ApiError, codeOf } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Field } from '~/ui/Field'

const CODE_LENGTH = 6

/** The texts of failures that are shown at the field, by code. */
const FIELD_ERRORS: Record<string, (() => string) | undefined> = {
  incomplete: m.factor_code_format,
  otp_expired: m.code_wrong,
}

type Props = {
  /** Verifies the code and leaves the page, or throws why that failed. */
  onSubmit: (code: string) => Promise<void>
}

/**
 * Asks for the six digits of an email, in one field, which browsers fill in and people paste into. The last digit submits
 * them; the button does so again, after a lost connection.
 */
export function EmailedCodeForm({ onSubmit }: Props) {
  const submitted = useRef('')
  const form = useForm({
    defaultValues: { code: '' },
    async onSubmit({ code }) {
      if (code.length < CODE_LENGTH) throw new AuthFailure('', { code: 'incomplete' }) // said only when it is submitted
      submitted.current = code
      await onSubmit(code).catch((error: unknown) => {
        if (codeOf(error) === 'otp_expired') form.setValue('code', '')
        throw error
      })
    },
    fieldError(error) {
      const text = FIELD_ERRORS[codeOf(error) ?? '']?.()
      return text === undefined ? undefined : { code: text }
    },
  })
  const { error, ...field } = form.register('code')
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const digits = target.value.replace(/\D/g, '').slice(0, CODE_LENGTH) // pasted with spaces, dashes, or all of the subject
    form.setValue('code', digits)
    if (digits.length === CODE_LENGTH && digits !== submitted.current) target.form?.requestSubmit()
  }
  const isLimited = form.failure instanceof ApiError && form.failure.retryAfterS !== undefined
  return (
    <AuthForm
      form={form}
      submitText={m.factor_confirm()}
      pendingText={m.factor_checking()}
      wayOut={isLimited && <p>{m.code_link_works()}</p>}
    >
      <Field label={m.code_label()} error={error}>
        {(control) => (
          <input
            {...field}
            {...control}
            ref={focusOnMount}
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            onChange={change}
            className="control text-2xl font-bold tracking-[0.25em] tabular-nums"
          />
        )}
      </Field>
      {/* the focus is in the field already, whose new description a screen reader would not read */}
      <p role="alert" className="sr-only empty:hidden">
        {error}
      </p>
    </AuthForm>
  )
}
