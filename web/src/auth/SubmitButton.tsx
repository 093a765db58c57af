import { type ReactNode, useEffect, useRef } from 'react'
import { useHydrated } from '~/lib/page/use-hydrated'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

type Props = { pending: boolean; pendingText: string; children: ReactNode }

/**
 * The main action of a form that scripts alone may send. Until they run the browser would send it by itself, with the
 * password, to a page that takes none: nothing leaves then, boot.js notes a press on the form, and it is sent as soon as
 * they are there.
 */
export function SubmitButton(props: Props) {
  const hydrated = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const form = button.current?.form
    if (!hydrated || form?.dataset['pressed'] === undefined) return
    delete form.dataset['pressed']
    form.requestSubmit()
  }, [hydrated])
  return (
    <>
      {/* a form whose default button is disabled is not sent by the Enter key (HTML, implicit submission) */}
      {!hydrated && <input type="submit" disabled hidden />}
      <Button
        {...props}
        ref={button}
        type={hydrated ? 'submit' : 'button'}
        data-submit={hydrated ? 'ready' : 'waiting'}
        variant="primary"
        size="lg"
        className="w-full in-data-pressed:cursor-progress in-data-pressed:opacity-60"
      />
      <noscript>
        <p className="text-center font-semibold">{m.auth_needs_scripts()}</p>
      </noscript>
    </>
  )
}
