import * as z from 'zod/mini'

/** The text for a field that must not be missing, where the contract has no other for it. */
const REQUIRED = 'Required'
/** The text where nothing better is known. */
export const CHECK_FIELD = 'Please check this field.'

const TYPE_TEXTS: Record<string, string> = {
  string: 'Must be text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
}
const FORMAT_TEXTS: Record<string, string> = {
  uuid: 'Must be an ID.',
  date: 'Must be a day such as 2026-12-31.',
  datetime: 'Must be a time such as 2026-12-31T12:00:00Z.',
}

const choiceText = (values: readonly unknown[]) =>
  values.length === 1 ? `Must be ${String(values[0])}.` : `Must be one of: ${values.join(', ')}.`

const minimumText = (origin: string, minimum: number | bigint) => {
  if (origin === 'string') return minimum === 1 ? 'Must not be empty.' : `At least ${minimum} characters.`
  return origin === 'array' ? `At least ${minimum} entries.` : `Must be at least ${minimum}.`
}

const maximumText = (origin: string, maximum: number | bigint) => {
  if (origin === 'string') return `At most ${maximum.toLocaleString('en-CA')} characters.`
  return origin === 'array' ? `At most ${maximum} entries.` : `Must be at most ${maximum}.`
}

/** Returns what a field wants, where its schema has no text of its own. */
function wantedText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_TEXTS[issue.expected] ?? CHECK_FIELD
    case 'invalid_value':
      return choiceText(issue.values)
    case 'invalid_union':
      return Array.isArray(issue['options']) ? choiceText(issue['options']) : CHECK_FIELD
    case 'invalid_format':
      return FORMAT_TEXTS[issue.format] ?? CHECK_FIELD
    case 'too_small':
      return minimumText(issue.origin, issue.minimum)
    case 'too_big':
      return maximumText(issue.origin, issue.maximum)
    default:
      return CHECK_FIELD
  }
}

const defaultText = (issue: z.core.$ZodRawIssue) => (issue.input === undefined ? REQUIRED : wantedText(issue))

/**
 * Returns the text of an issue. What the contract says of a field whose value has another type is meant for one that is missing;
 * null often means just that.
 */
const issueText = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type' && issue.expected !== 'int' && issue.input !== undefined && issue.input !== null
    ? wantedText(issue as z.core.$ZodRawIssue)
    : issue.message

/** Parses a value, or returns the first text for each of its fields that is wrong, in English. */
export function parseFields<T extends z.ZodMiniType>(
  type: T,
  value: unknown,
): { data: z.output<T> } | { fields: Record<string, string> } {
  const parsed = z.safeParse(type, value, { error: defaultText, reportInput: true })
  if (parsed.success) return { data: parsed.data }
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issueText(issue)
  return { fields }
}
