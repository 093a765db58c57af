import { normalizeEmail } from '#contract/addresses.ts'
import { requestEmailChange } from '#contract/email-change.ts'
import { AuthForm } from '~/auth/AuthForm'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { EmailField } from '~/ui/Field'
import { emailChangeQuery } from './queries.ts'
import { useReauthentication } from './use-reauthentication.tsx'

/** Requests a change of the address, after asking whether it is still the user when the session is not fresh. */
export function NewAddressForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { withFreshSession, dialog } = useReauthentication(m.email_change_again())
  const form = useForm({
    defaultValues: { newEmail: '' },
    validate: ({ newEmail }) => {
      const valid = validateEmail(newEmail)
      return {
        newEmail: valid === true && normalizeEmail(newEmail) === normalizeEmail(email) ? m.email_change_same() : valid,
      }
    },
    async onSubmit({ newEmail }) {
      await withFreshSession(async (headers) => {
        await call(requestEmailChange, { email: newEmail }, { headers })
        await queryClient.invalidateQueries({ queryKey: emailChangeQuery.queryKey })
        toast.success(m.email_change_sent())
        onDone()
      })
    },
  })

  return (
    <>
      <AuthForm form={form} submitText={m.email_change_send()} pendingText={m.email_change_sending()} onCancel={onDone}>
        <EmailField
          label={m.email_change_new()}
          hint={m.email_change_hint()}
          autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- a press of a button has added it
          {...form.register('newEmail')}
        />
      </AuthForm>
      {dialog}
    </>
  )
}
