import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { normalizeEmail } from '#contract/addresses.ts'
import { requestEmailChange } from '#contract/email-change.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmailField } from '~/ui/Field'
import { emailChangeQuery } from './queries.ts'
import { useReauthentication } from './use-reauthentication.tsx'

/** Focuses the field that a press of a button has added. One function for all renders, so that it runs once. */
const focusField = (box: HTMLElement | null) => box?.querySelector('input')?.focus()

/** Requests a change of the address, after asking whether it is still the user when the session is not fresh. */
export function NewAddressForm({ email, onDone }: { email: string; onDone: () => void }) {
  const queries = useQueryClient()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const { withFreshSession, dialog } = useReauthentication(m.email_change_again())
  const { register, pending, formProps } = useForm({
    defaultValues: { newEmail: '' },
    validate: ({ newEmail }) => {
      const valid = validateEmail(newEmail)
      return {
        newEmail: valid === true && normalizeEmail(newEmail) === normalizeEmail(email) ? m.email_change_same() : valid,
      }
    },
    async onSubmit({ newEmail }) {
      setFailure(null)
      try {
        await withFreshSession(async (headers) => {
          await call(requestEmailChange, { email: newEmail }, { headers })
          await queries.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
          toast.success(m.email_change_sent())
          onDone()
        })
      } catch (error) {
        setFailure(apiFailure(error))
      }
    },
  })

  return (
    <>
      <form method="post" noValidate className="grid gap-5" {...formProps}>
        <div ref={focusField}>
          <EmailField label={m.email_change_new()} hint={m.email_change_hint()} {...register('newEmail')} />
        </div>
        <AuthFailureAlert failure={failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" pending={pending} pendingText={m.email_change_sending()}>
            {m.email_change_send()}
          </Button>
          <Button variant="ghost" onClick={onDone}>
            {m.action_cancel()}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
