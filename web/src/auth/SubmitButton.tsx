import { type ReactNode, useEffect, useRef } from 'react'
import { useHydrated } from '~/lib/page/browser-state'
import { PRESSED, SUBMIT } from '~/lib/page/inline-head-attributes'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import type { ButtonVariant } from '~/ui/button-class'

type Props = { pending: boolean; pendingText: string; variant?: ButtonVariant; children: ReactNode }

/**
 * Submits a form that needs JavaScript. Until the scripts run, the browser would post it itself, password included, to
 * a page that accepts no forms, so nothing is sent. The inline head script records a press on the form, which is
 * submitted once the scripts have loaded.
 */
export function SubmitButton({ variant = 'primary', ...props }: Props) {
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
    </>
  )
}
