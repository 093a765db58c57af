import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { FieldError } from '../refusal.ts'

/** Returns what a person reads of each field that is wrong, in their language. */
export const fieldTexts = (fields: Record<string, FieldError>, locale: Locale): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, error]) => [name, fieldText(error, locale)]))

/** Returns what is wrong with a field, for a person. */
export function fieldText({ code, values = {} }: FieldError, locale: Locale): string {
  if (code === 'fields_missing') return m.refusal_fields_missing({}, { locale })
  const text = (m[`field_${code}`] as (values: object, options: { locale: Locale }) => string)(values, { locale })
  const { character } = values
  if (character === undefined || character === null) return text
  return `${text.replace(/\.$/, '')}. ${m.field_plate_character({ character }, { locale })}`
}
