import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { m } from '~/paraglide/messages'

/** What a control needs to be tied to its label, hint and error. */
export type ControlProps = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }

export type FieldTexts = {
  label: string
  /** Said before typing: what is expected, why it is asked. */
  hint?: ReactNode
  /** Said after: what is wrong and how to put it right. */
  error?: string | undefined
  /** Marks the field '(optional)'; all others are required. */
  optional?: boolean
}

type FieldProps = FieldTexts & {
  /** Beside the label, at its right: a link, a count. */
  aside?: ReactNode
  /** Said below while it is filled in: a doubt, no refusal. Screen readers hear it come; give null while there is none. */
  note?: ReactNode
  children: (control: ControlProps) => ReactNode
}

/** A label, a hint, a control, a note and an error, tied together by ids. */
export function Field({ label, hint, error, optional = false, aside, note, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-bold">
          {label} {optional && <span className="font-normal text-ink-soft">{m.field_optional()}</span>}
        </label>
        {aside}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined })}
      {note !== undefined && (
        <p id={`${id}-note`} aria-live="polite" className="text-sm text-ink-soft empty:sr-only">
          {note}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

/** The red line under a control. Not a live region: the form moves the focus to the first wrong field. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm font-semibold text-danger">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  )
}

/** A one-line text field. Spread `field('name')` of `useForm` into it, and into all that follow. */
export function TextField({
  label,
  hint,
  error,
  optional,
  aside,
  ...input
}: FieldTexts & { aside?: ReactNode } & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, error, optional, aside }}>
      {(control) => <input type="text" {...input} {...control} className="control" />}
    </Field>
  )
}

/** A text field for an email address as it is typed on a phone: without a capital first letter or spelling marks. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return <TextField type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} {...props} />
}
