import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './Field.tsx'

type Props = { label: ReactNode; error?: string | undefined } & Omit<ComponentProps<'input'>, 'type'>

/** Renders a checkbox with its label; the whole line can be clicked. */
export function Checkbox({ label, error, ...input }: Props) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="mt-px size-6 shrink-0 accent-pine"
        />
        <span>{label}</span>
      </label>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}
