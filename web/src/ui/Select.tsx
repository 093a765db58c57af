import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { Field, type FieldTexts } from './Field.tsx'

type Option = { value: string; label: string /** 'no': a browser must not translate it. */; translate?: 'no' }

type SelectControlProps = {
  options: readonly (Option | string)[]
  /** The first, empty option ('Choose a make'). */
  placeholder?: string
} & Omit<ComponentProps<'select'>, 'className'>

/** Renders the platform's own select, which works best on phones. */
export function Select({ label, hint, error, optional, ...list }: FieldTexts & SelectControlProps) {
  return <Field {...{ label, hint, error, optional }}>{(control) => <SelectControl {...list} {...control} />}</Field>
}

/** Returns the provinces as options, named and sorted in the language of the page. */
export function provinceOptions(): Option[] {
  const locale = getLocale()
  return PROVINCES.map((value) => ({ value, label: provinceName(value, locale) })).sort((a, b) =>
    a.label.localeCompare(b.label, locale),
  )
}

/** Renders the select alone; the caller labels it. */
export function SelectControl({ options, placeholder, ...select }: SelectControlProps) {
  return (
    <div className="relative">
      <select {...select} className="control appearance-none pr-11">
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => {
          const { value, label: text, ...rest } = typeof option === 'string' ? { value: option, label: option } : option
          return (
            <option key={value} value={value} {...rest}>
              {text}
            </option>
          )
        })}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-5 -translate-y-1/2 text-ink-soft"
      />
    </div>
  )
}
