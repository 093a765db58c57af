import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { m } from '~/paraglide/messages'

/** The attributes that connect a control to its label, hint and error. */
export type ControlProps = {
  id: string
  'aria-invalid': boolean | 'true' | undefined
  'aria-describedby': string | undefined
}

export type FieldTexts = {
  label: string
  /** Shown above the control: what is expected, and why. */
  hint?: ReactNode
  /** Shown below the control: what is wrong, and how to correct it. */
  error?: string | undefined
  /** Labels the field '(optional)'; all others are required. */
  optional?: boolean
}

/** Returns the slot that says whether the field of a plain form is wrong (lib/plain-form/slots.ts); undefined where its error is no slot. */
const invalidSlot = (error: string | undefined) =>
  import.meta.env.SSR && error?.endsWith('_ERROR%') ? (error.replace('_ERROR%', '_INVALID%') as 'true') : undefined

type FieldProps = FieldTexts & {
  /** Shown below while the field is filled in: a hint, not an error. Screen readers announce it; pass null while there is none. */
  note?: ReactNode
  children: (control: ControlProps) => ReactNode
}

/** Renders a label, a hint, a control, an error and a note, connected by ids. */
export function Field({ label, hint, error, optional = false, note, children }: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`, note && `${id}-note`].filter(Boolean).join(' ')
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <label htmlFor={id} className="justify-self-start font-bold">
        {label} {optional && <span className="font-normal text-ink-soft">{m.field_optional()}</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-invalid': error ? (invalidSlot(error) ?? true) : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      <FieldError id={`${id}-error`} text={error} />
      {note !== undefined && (
        <p id={`${id}-note`} aria-live="polite" className="text-sm text-ink-soft empty:sr-only">
          {note}
        </p>
      )}
    </div>
  )
}

/** Shows the error below a control. Not a live region: the form moves the focus to the first invalid field. */
export function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p
      id={id}
      className="flex items-start gap-1.5 text-sm font-semibold text-danger"
      {...(invalidSlot(text) && { 'data-if': text })}
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </p>
  )
}

/** Renders a one-line text field. Spread `register('name')` of `useForm` into this and every other field. */
export function TextField({ label, hint, error, optional, ...input }: FieldTexts & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, error, optional }}>
      {(control) => <input type="text" {...input} {...control} className="control" />}
    </Field>
  )
}

/**
 * Renders a field for an email address, without automatic capitals and spell checking. Not of the type 'email': Chromium gives
 * scripts the domain in its ASCII form, and what was typed is to be shown again.
 */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
    />
  )
}

/** Renders a field for what a list is searched for. */
export function SearchField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      type="search"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="search"
      {...props}
    />
  )
}
