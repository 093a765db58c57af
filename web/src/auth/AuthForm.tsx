import { type ComponentProps, type ReactNode, useState } from 'react'
import { type FieldErrors, type UseFormOptions, useForm, type Values } from '~/lib/form/use-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AuthFailureAlert } from './AuthFailureAlert.tsx'
import type { AuthFailure } from './auth-error-text.ts'
import { SubmitButton } from './SubmitButton.tsx'

type Options<V extends Values> = Omit<UseFormOptions<V>, 'onSubmit'> & {
  /** Sends valid values. Resolves to why that failed, or null. */
  onSubmit: (values: V) => Promise<AuthFailure | null>
  /** Returns the field that a failure is about, with its text. */
  fieldError?: (failure: AuthFailure) => FieldErrors<V> | undefined
}

/** Holds the state of a form (`useForm`) and why it was last refused, unless a field says so. */
export function useAuthForm<V extends Values>({ onSubmit, fieldError, ...options }: Options<V>) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm<V>({
    ...options,
    async onSubmit(values) {
      setFailure(null)
      const failed = await onSubmit(values)
      const errors = failed ? fieldError?.(failed) : undefined
      if (!errors) setFailure(failed)
      return errors
    },
  })
  return { ...form, failure }
}

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: Pick<ReturnType<typeof useAuthForm>, 'formProps' | 'pending' | 'failure'>
  submitText: ReactNode
  pendingText: string
  variant?: ComponentProps<typeof SubmitButton>['variant']
  /** The way out of a failure, shown below its text. */
  wayOut?: ReactNode
  /** Shown below the button. */
  footer?: ReactNode
  /** Leaves the form again, where it is part of a page: its buttons are then as wide as their text. */
  onCancel?: (() => void) | undefined
}

/** Renders a form of `useAuthForm`: its fields (`children`), why it was refused, and the button. */
export function AuthForm({
  form,
  submitText,
  pendingText,
  variant,
  wayOut,
  footer,
  onCancel,
  children,
  ...rest
}: Props) {
  return (
    <form method="post" noValidate className="grid gap-5" {...rest} {...form.formProps}>
      {children}
      <AuthFailureAlert failure={form.failure}>{wayOut}</AuthFailureAlert>
      {onCancel ? (
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant={variant ?? 'primary'} pending={form.pending} pendingText={pendingText}>
            {submitText}
          </Button>
          <Button variant="ghost" onClick={onCancel}>
            {m.action_cancel()}
          </Button>
        </div>
      ) : (
        <SubmitButton variant={variant} pending={form.pending} pendingText={pendingText}>
          {submitText}
        </SubmitButton>
      )}
      {footer}
    </form>
  )
}
