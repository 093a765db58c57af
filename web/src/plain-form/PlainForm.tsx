import type { ComponentProps, ReactNode } from 'react'
import { slot } from '~/lib/plain-form/slots'
import { m } from '~/paraglide/messages'
import { Button, Spinner } from '~/ui/Button'
import { FailureAlert } from '~/ui/FailureAlert'
import { Field, type FieldTexts } from '~/ui/Field'

/*
 * Parts of a plain form (decision forms-before-scripts): what the browser posts by itself, and what lib/plain-form/plain-form.ts sends. The server fills in the slots.
 */

/** Renders a form that the browser can post. `data-draft` names the draft that keeps what is typed, `data-delay` a pause before it is sent. */
export const PlainForm = (form: ComponentProps<'form'>) => (
  <form
    method="post"
    data-plain-form=""
    data-network={m.error_network()}
    data-failed={m.error_unexpected()}
    data-refused={slot('REFUSED')}
    {...form}
  />
)

/** Says why a form was not accepted; `children` is the way out. There is one on a page. */
export const PlainFormFailure = ({ children }: { children?: ReactNode }) => (
  <FailureAlert
    role="alert"
    data-failure=""
    data-if={slot('ERROR')}
    autoFocus // oxlint-disable-line jsx-a11y/no-autofocus -- the page responds to a form: what was wrong is announced first
    tabIndex={-1}
    title={slot('ERROR')}
  >
    <p data-if={slot('WAIT_MINUTES')}>{m.auth_wait_minutes({ count: slot('WAIT_MINUTES') as unknown as number })}</p>
    {children}
  </FailureAlert>
)

/** Renders the button of a plain form; `pendingText` replaces its text while it is being sent. */
export const PlainFormButton = ({ pendingText, icon: Icon, children, ...button }: ComponentProps<typeof Button>) => (
  <Button type="submit" variant="primary" size="lg" {...button}>
    <span data-idle="" className="contents">
      {Icon && <Icon aria-hidden="true" className="size-5" />}
      {children}
    </span>
    <span data-busy="" hidden className="contents">
      <Spinner />
      <span>{pendingText}</span>
    </span>
  </Button>
)

/** Renders one of several answers: the whole line of it can be pressed. */
export const PlainChoice = ({ children, ...input }: ComponentProps<'input'>) => (
  <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-xl border border-line-strong bg-surface px-3.5 py-2 font-semibold has-checked:border-pine has-checked:bg-pine-soft has-checked:ring-1 has-checked:ring-pine">
    <input {...input} className="size-5 shrink-0 accent-pine" />
    <span className="grid min-w-0 leading-snug">{children}</span>
  </label>
)

/** Shows the plate that the server fills in, as text: only scripts can draw one. */
export const PlainPlate = () => (
  <p
    translate="no"
    className="plate-digits justify-self-start rounded-plate bg-plate px-5 pt-3 pb-2 text-3xl font-bold tracking-[0.08em] text-plate-ink shadow-plate ring-1 ring-plate-edge"
  >
    {slot('PLATE')}
  </p>
)

type TextAreaProps = FieldTexts & ComponentProps<'textarea'> & { maxCharacters: number }

/** Renders a field of several lines, which shows how many characters are left when the text comes close to the most. */
export const PlainTextArea = ({ label, hint, error, maxCharacters, ...area }: TextAreaProps) => (
  <Field {...{ label, hint, error }}>
    {(control) => (
      <>
        <textarea {...area} {...control} className="control block resize-y leading-relaxed" />
        <p
          aria-live="polite"
          className="text-right text-sm tabular-nums text-ink-soft empty:hidden data-over:font-bold data-over:text-danger"
          data-max-characters={maxCharacters}
          data-left={m.characters_left({ count: OTHER })}
          data-left-one={withCount(m.characters_left({ count: 1 }))}
          data-too-many={m.characters_over({ count: OTHER })}
          data-too-many-one={withCount(m.characters_over({ count: 1 }))}
        />
      </>
    )}
  </Field>
)

// the text for every number but one has its place for the number in it
const OTHER = '{count}' as unknown as number
const withCount = (text: string) => text.replace('1', '{count}')

/** Shows a time on the clock of this device, which only scripts know. */
export const LocalTime = ({ at, text, ...more }: { at: string; text: string } & ComponentProps<'time'>) => (
  <time hidden dateTime={at} data-local-time={text} data-clock="" className="block text-sm text-ink-soft" {...more} />
)
