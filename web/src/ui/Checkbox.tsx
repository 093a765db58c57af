import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './Field.tsx'

type Props = { label: ReactNode; hint?: ReactNode; error?: string | undefined } & Omit<ComponentProps<'input'>, 'type'>

/** Renders a checkbox with its label, which can be clicked too, and what else ticking it says. */
export function Checkbox({ label, hint, error, ...input }: Props) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
          className="mt-px size-6 shrink-0 accent-pine"
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1.5 pl-9 text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}
