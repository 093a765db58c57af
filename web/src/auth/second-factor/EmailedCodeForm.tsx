import { type FormEvent, useEffect, useRef, useState } from 'react'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { AuthFailure, caughtFailure } from '~/auth/auth-request'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'

const CODE_LENGTH = 6

type Props = {
  /** Verifies the code and leaves the page, or throws why that failed. */
  onSubmit: (code: string) => Promise<void>
}

/**
 * Asks for the six digits of an email, in one field, which browsers fill in and people paste into. The last digit submits
 * them; the button does so again, after a lost connection.
 */
export function EmailedCodeForm({ onSubmit }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const submitted = useRef<string>(undefined)
  const inFlight = useRef(false)
  const [code, setCode] = useState('')
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const fieldError = failure && FIELD_ERRORS[failure.code ?? '']?.()

  useEffect(() => field.current?.focus(), [])

  const refuse = (failed: AuthFailure) => {
    setFailure(failed)
    if (failed.code === 'otp_expired') setCode('')
    if (FIELD_ERRORS[failed.code ?? '']) field.current?.focus()
  }
  const submit = async (digits: string) => {
    if (inFlight.current) return
    setFailure(null)
    if (digits.length < CODE_LENGTH) return refuse(new AuthFailure('', { code: 'incomplete' }))
    submitted.current = digits
    inFlight.current = true
    setPending(true)
    await onSubmit(digits).catch((error: unknown) => refuse(caughtFailure(error)))
    setPending(false)
    inFlight.current = false
  }
  const change = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, CODE_LENGTH) // pasted with spaces, dashes, or all of the subject
    setCode(digits)
    if (fieldError) setFailure(null)
    if (digits.length === CODE_LENGTH && digits !== submitted.current) void submit(digits)
  }
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit(code)
  }

  return (
    <form method="post" noValidate className="grid gap-5" onSubmit={onFormSubmit}>
      <Field label={m.code_label()} error={fieldError ?? undefined}>
        {(control) => (
          <input
            {...control}
            ref={field}
            type="text"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            value={code}
            onChange={({ target }) => change(target.value)}
            className="control text-2xl font-bold tracking-[0.25em] tabular-nums"
          />
        )}
      </Field>
      {/* the focus is in the field already, whose new description a screen reader would not read */}
      <p role="alert" className="sr-only empty:hidden">
        {fieldError}
      </p>
      <AuthFailureAlert failure={fieldError ? null : failure}>
        {failure?.retryAfterS !== undefined && <p>{m.code_link_works()}</p>}
      </AuthFailureAlert>
      <Button type="submit" variant="primary" size="lg" pending={pending} pendingText={m.factor_checking()}>
        {m.factor_confirm()}
      </Button>
    </form>
  )
}

/** The texts of failures that are shown at the field, by code. */
const FIELD_ERRORS: Record<string, (() => string) | undefined> = {
  incomplete: m.factor_code_format,
  otp_expired: m.code_wrong,
}
