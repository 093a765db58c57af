import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import { FieldError } from '~/ui/Field'

type Option<Value extends string> = { value: Value; label: string; hint?: ReactNode }

type RadioGroupProps<Value extends string> = {
  name: string
  legend: string
  hint?: string
  value: Value | ''
  onChange: (value: Value) => void
  options: Option<Value>[]
  error?: string | undefined
}

/** Asks for one of a few answers; the whole line of each can be pressed. */
export function RadioGroup<Value extends string>({
  name,
  legend,
  hint,
  value,
  onChange,
  options,
  error,
}: RadioGroupProps<Value>) {
  const id = useId()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-bold">{legend}</legend>
      {hint && <p className="-mt-2 text-sm text-ink-soft">{hint}</p>}
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-11 items-start gap-3 rounded-xl border border-line-strong px-3 py-2.5 has-checked:border-pine has-checked:bg-pine-soft"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            aria-describedby={clsx(option.hint && `${id}-${option.value}`, error && `${id}-error`) || undefined}
            className="mt-0.5 size-5 shrink-0 accent-pine"
            onChange={() => onChange(option.value)}
          />
          <span className="grid gap-0.5">
            <span className="font-semibold">{option.label}</span>
            {option.hint && (
              <span id={`${id}-${option.value}`} className="text-sm text-ink-soft">
                {option.hint}
              </span>
            )}
          </span>
        </label>
      ))}
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  )
}
