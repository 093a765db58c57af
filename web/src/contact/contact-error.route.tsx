import { Send } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { CONTACT_EMAIL_MAX_BYTES, CONTACT_NAME_MAX } from '#contract/contact.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { FailureAlert } from '~/ui/FailureAlert'
import { SelectControl } from '~/ui/Select'
import { ContactLayout, subjectOptions } from './ContactLayout.tsx'

export const handle: RouteHandle = { static: true, canonicalPath: paths.contact() }

// screen readers announce the title first, so it says what happened
export const meta = () =>
  publicPageMeta(
    { pathname: href(paths.contact()) },
    { title: m.contact_again_title(), description: m.contact_description(), indexed: false },
  )

/**
 * Renders the contact form that the server returns when it cannot accept one that was posted without scripts. The
 * server fills in the placeholders: what was typed, what is wrong with it, and the option that was chosen.
 */
export default function ContactErrorPage() {
  return (
    <ContactLayout>
      <form method="post" action={href(paths.contact())} className="grid gap-5">
        <FailureAlert
          role="alert"
          // the page responds to a submit: what was wrong is announced first
          autoFocus // oxlint-disable-line jsx-a11y/no-autofocus
          tabIndex={-1}
          title="%CONTACT_ERROR%"
        >
          <p>{m.contact_kept()}</p>
        </FailureAlert>
        <div className="grid gap-5 sm:grid-cols-2 sm:items-start">
          <StaticField label={m.contact_name()} error="%CONTACT_NAME_ERROR%">
            {(control) => (
              <input
                {...control}
                type="text"
                name="name"
                autoComplete="name"
                maxLength={CONTACT_NAME_MAX}
                defaultValue="%CONTACT_NAME%"
              />
            )}
          </StaticField>
          <StaticField label={m.contact_email()} error="%CONTACT_EMAIL_ERROR%">
            {(control) => (
              <input
                {...control}
                type="email"
                name="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={CONTACT_EMAIL_MAX_BYTES}
                defaultValue="%CONTACT_EMAIL%"
              />
            )}
          </StaticField>
        </div>
        <StaticField label={m.contact_subject()} error="%CONTACT_SUBJECT_ERROR%">
          {(control) => (
            <SelectControl
              {...control}
              name="subject"
              placeholder={m.contact_subject_choose()}
              options={subjectOptions()}
            />
          )}
        </StaticField>
        <StaticField label={m.contact_message()} hint={m.contact_message_hint()} error="%CONTACT_MESSAGE_ERROR%">
          {(control) => (
            <textarea
              {...control}
              name="message"
              rows={7}
              className="control block resize-y leading-relaxed"
              defaultValue="%CONTACT_MESSAGE%"
            />
          )}
        </StaticField>
        <Button type="submit" variant="primary" size="lg">
          <Send aria-hidden="true" className="size-5" />
          {m.contact_submit()}
        </Button>
      </form>
    </ContactLayout>
  )
}

type Control = { id: string; required: true; className: string; 'aria-describedby': string }
type StaticFieldProps = { label: string; hint?: string; error: string; children: (control: Control) => ReactNode }

/** Shows a field whose error may turn out empty: the error is then hidden, and the field looks as usual. */
function StaticField({ label, hint, error, children }: StaticFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5 [&:has([data-error]:not(:empty))_.control]:border-danger">
      <label htmlFor={id} className="font-bold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {children({
        id,
        required: true,
        className: 'control',
        'aria-describedby': hint ? `${id}-hint ${id}-error` : `${id}-error`,
      })}
      <p id={`${id}-error`} data-error="" className="text-sm font-semibold text-danger empty:hidden">
        {error}
      </p>
    </div>
  )
}
