import type { ReactNode } from 'react'
import { AuthForm, validateNewPassword } from '~/auth/AuthForm'
import { isLinkExpired } from '~/auth/auth-request'
import { NewPasswordField } from '~/auth/NewPasswordField'
import { useForm } from '~/lib/form/use-form'
import { codeOf, errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { PasswordField } from '~/ui/PasswordField'

type Props = {
  /** The address of the account. */
  email: string
  savePassword: (password: string) => Promise<unknown>
  onDone: () => void | Promise<void>
  onExpired: () => void
  submitText?: string
  /** Offers to leave it, where it is one of several things on the page. */
  onCancel?: () => void
}

/** Error codes about the password, which are shown at its field. */
const PASSWORD_FIELD_CODES = new Set<string | undefined>(['weak_password', 'same_password'])

/** Shows the form as a page. */
export const ChoosePassword = ({ intro, ...form }: Props & { intro: ReactNode }) => (
  <>
    <PageHeader title={m.reset_title()}>
      <p>{intro}</p>
    </PageHeader>
    <Card>
      <ResetPasswordForm {...form} />
    </Card>
  </>
)

/** Chooses a password for the account of a link. */
export function ResetPasswordForm({ email, savePassword, onDone, onExpired, submitText, onCancel }: Props) {
  const form = useForm({
    defaultValues: { password: '', confirmation: '' },
    uncontrolled: true,
    validate: ({ password, confirmation }) => ({
      password: validateNewPassword(password),
      confirmation: confirmation === '' ? m.auth_password_again() : confirmation === password || m.reset_mismatch(),
    }),
    async onSubmit({ password }) {
      try {
        await savePassword(password)
      } catch (error) {
        if (!isLinkExpired(error)) throw error
        return onExpired()
      }
      return onDone()
    },
    fieldError: (error) => (PASSWORD_FIELD_CODES.has(codeOf(error)) ? { password: errorMessage(error) } : undefined),
  })

  return (
    <AuthForm
      form={form}
      submitText={submitText ?? m.reset_submit()}
      pendingText={submitText === undefined ? m.reset_pending() : m.verify_choose_pending()}
      onCancel={onCancel}
    >
      {/* tells password managers whose password this is */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField
        label={m.reset_password()}
        password={form.values.password}
        autoFocus={onCancel !== undefined} // oxlint-disable-line jsx-a11y/no-autofocus -- a press of a button has added it
        {...form.register('password')}
      />
      <PasswordField label={m.auth_password_confirm()} autoComplete="new-password" {...form.register('confirmation')} />
    </AuthForm>
  )
}
