import { type ComponentProps, type ReactNode, useState } from 'react'
import { type FieldErrors, type UseFormOptions, useForm, type Values } from '~/lib/form/use-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AuthFailureAlert } from './AuthFailureAlert.tsx'
import { type AuthFailure, toFailure } from './auth-request.ts'
import { SubmitButton } from './SubmitButton.tsx'

type Options<V extends Values> = Partial<Omit<UseFormOptions<V>, 'onSubmit'>> & {
  /** Sends valid values. Throws why that failed. */
  onSubmit: (values: V) => Promise<unknown>
  /** Returns the field that a failure is about, with its text. */
  fieldError?: (failure: AuthFailure) => FieldErrors<V> | undefined
}

/** Holds the state of a form (`useForm`) and why it was last refused, unless a field says so. Without options it has no fields. */
export function useAuthForm<V extends Values>({ onSubmit, fieldError, ...options }: Options<V>) {
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const form = useForm<V>({
    defaultValues: {} as V,
    validate: () => ({}),
    ...options,
    async onSubmit(values) {
      setFailure(null)
      try {
        await onSubmit(values)
        return undefined
      } catch (error) {
        const failed = toFailure(error)
        const errors = fieldError?.(failed)
        if (!errors) setFailure(failed)
        return errors
      }
    },
  })
  return { ...form, failure }
}

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: Pick<ReturnType<typeof useAuthForm>, 'formProps' | 'pending' | 'failure'>
  submitText: ReactNode
  pendingText: string
  variant?: ComponentProps<typeof SubmitButton>['variant']
  /** The classes of an ordinary button, where the form is part of a page. */
  submitClass?: string | undefined
  /** The way out of a failure, shown below its text. */
  wayOut?: ReactNode
  /** Shown below the button. */
  footer?: ReactNode
  /** Leaves the form again, where it is part of a page: its buttons are then as wide as their text. */
  onCancel?: (() => void) | undefined
}

/** Renders a form of `useAuthForm`: its fields (`children`), why it was refused, and the button. */
export function AuthForm({
  form: { formProps, pending, failure },
  submitText,
  pendingText,
  variant = 'primary',
  submitClass,
  wayOut,
  footer,
  onCancel,
  children,
  ...rest
}: Props) {
  const button = { variant, pending, pendingText, children: submitText }
  return (
    <form method="post" noValidate className="grid gap-5" {...rest} {...formProps}>
      {children}
      <AuthFailureAlert failure={failure}>{wayOut}</AuthFailureAlert>
      {onCancel ? (
        <div className="flex flex-wrap gap-3">
          <Button type="submit" {...button} />
          <Button variant="ghost" onClick={onCancel}>
            {m.action_cancel()}
          </Button>
        </div>
      ) : submitClass === undefined ? (
        <SubmitButton {...button} />
      ) : (
        <Button type="submit" className={submitClass} {...button} />
      )}
      {footer}
    </form>
  )
}
