import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { isPasswordTooLong, passwordWeaknesses } from '#contract/passwords.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import type { Form } from '~/lib/form/use-form'
import { useHydrated } from '~/lib/page/browser-state'
import { NOT_ALIVE, PRESSED, RELOAD, SUBMIT } from '~/lib/page/inline-head-attributes'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { AnnouncedFailure } from '~/ui/FailureAlert'

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  form: Pick<Form<never>, 'formProps' | 'pending' | 'failure'>
  submitText: ReactNode
  pendingText: string
  icon?: SubmitProps['icon']
  variant?: SubmitProps['variant']
  /** The classes of an ordinary button, where the form is part of a page. */
  submitClass?: string | undefined
  /** The way out of a failure, shown below its text. */
  wayOut?: ReactNode
  /** Shown below the button. */
  footer?: ReactNode
  /** Leaves the form again, where it is part of a page: its buttons are then as wide as their text. */
  onCancel?: (() => void) | undefined
}

/** Renders a form of `useForm`: its fields (`children`), why it was refused, and the button. */
export function AuthForm({
  form: { formProps, pending, failure },
  submitText,
  pendingText,
  icon,
  variant = 'primary',
  submitClass,
  wayOut,
  footer,
  onCancel,
  children,
  ...rest
}: Props) {
  const button = { icon, variant, pending, pendingText, children: submitText }
  return (
    <form method="post" noValidate className="grid gap-5" {...rest} {...formProps}>
      {children}
      <AnnouncedFailure failure={failure}>{wayOut}</AnnouncedFailure>
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

type SubmitProps = Pick<ComponentProps<typeof Button>, 'icon' | 'variant' | 'pending' | 'pendingText' | 'children'>

/**
 * Submits a form that needs JavaScript. Until the scripts run, the browser would post it itself, password included, to
 * a page that accepts no forms, so nothing is sent. The inline head script records a press on the form, which is
 * submitted once the scripts have loaded.
 */
function SubmitButton({ variant = 'primary', ...props }: SubmitProps) {
  const hydrated = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const form = button.current?.form
    if (!hydrated || !form?.hasAttribute(PRESSED)) return
    form.removeAttribute(PRESSED)
    form.requestSubmit()
  }, [hydrated])
  return (
    <>
      {/* the Enter key does not submit a form whose default button is disabled (HTML, implicit submission) */}
      {!hydrated && <input type="submit" disabled hidden />}
      <Button
        {...props}
        ref={button}
        type={hydrated ? 'submit' : 'button'}
        {...{ [SUBMIT]: hydrated ? 'ready' : 'waiting' }}
        variant={variant}
        size="lg"
        className="w-full in-data-pressed:cursor-progress in-data-pressed:opacity-60"
      />
      {variant === 'primary' && (
        <noscript>
          <p className="text-center font-semibold">{m.auth_needs_scripts()}</p>
        </noscript>
      )}
      {variant === 'primary' && !hydrated && <NotAlive />}
    </>
  )
}

/** What the inline head script shows where the page does not come alive (inline-head/not-alive.ts). */
function NotAlive() {
  return (
    <div role="alert" className="text-center font-semibold text-danger">
      <p {...{ [NOT_ALIVE]: 'too-old' }} hidden suppressHydrationWarning>
        {m.auth_too_old()}
      </p>
      <div
        {...{ [NOT_ALIVE]: 'not-loaded' }}
        hidden
        suppressHydrationWarning
        className="grid justify-items-center gap-3"
      >
        <p>{m.auth_not_loaded()}</p>
        <Button {...{ [RELOAD]: '' }}>{m.auth_reload()}</Button>
      </div>
    </div>
  )
}

/** Validates one field: returns true, or what is wrong. */
type Validator = (typed: string) => true | string

export const validateName: Validator = (typed) => hasVisibleCharacter(typed) || m.auth_name_missing()

/** Checks only that a password was typed: the server says whether it is right. */
export const validatePassword: Validator = (typed) => typed !== '' || m.auth_password_missing()

/** Checks the length and the rules of a new password; only the server knows the passwords that are too common. */
export const validateNewPassword: Validator = (typed) => {
  if (typed === '') return m.auth_password_missing()
  if (passwordWeaknesses(typed).length > 0) return m.auth_password_rule()
  return !isPasswordTooLong(typed) || m.auth_password_too_long()
}

/**
 * Focuses a heading as it appears, given as its `ref` together with tabIndex -1. Screen readers then announce what has
 * replaced a form, and the Tab key continues from there.
 */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
