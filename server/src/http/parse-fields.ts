import * as z from 'zod/mini'
import type { FieldCode, FieldError } from '../refusal.ts'

/** The codes of fields with a value of another type; the contract has one more, `record`. */
const TYPE_CODES = ['string', 'number', 'int', 'boolean', 'array', 'object'] as const
const FORMAT_CODES = ['uuid', 'date', 'datetime'] as const

const limitCode = (limit: 'min' | 'max', origin: string) => {
  if (origin === 'string') return `${limit}_characters` as const
  return origin === 'array' ? (`${limit}_entries` as const) : limit
}

/** Returns what a field wants, where its schema does not say so. */
function wantedCode(issue: z.core.$ZodIssue): FieldCode {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_CODES.find((type) => type === issue.expected) ?? (issue.expected === 'record' ? 'object' : 'check')
    case 'invalid_value':
      return issue.values.length === 1 ? 'value' : 'values'
    case 'invalid_union':
      return 'options' in issue ? 'values' : 'check'
    case 'invalid_format':
      return FORMAT_CODES.find((format) => format === issue.format) ?? 'check'
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'empty' : limitCode('min', issue.origin)
    case 'too_big':
      return limitCode('max', issue.origin)
    default:
      return 'check'
  }
}

/** What issues have, each kind some of it, that a text may name. */
type IssueValues = { minimum?: number; maximum?: number; values?: unknown[]; options?: unknown[]; params?: object }

/**
 * Returns what is wrong with a field. What the contract says of a field whose value has another type is meant for one that is missing;
 * null often means just that.
 */
function fieldError(issue: z.core.$ZodIssue): FieldError {
  const hasOtherType =
    issue.code === 'invalid_type' && issue.expected !== 'int' && issue.input !== undefined && issue.input !== null
  const saidCode = hasOtherType ? '' : (issue.message as FieldCode | '')
  const { values, options = values, minimum, maximum, params } = issue as IssueValues
  return {
    code: saidCode || (issue.input === undefined ? 'required' : wantedCode(issue)),
    values: { minimum, maximum, values: options?.join(', '), ...params },
  }
}

/** Parses a value, or returns the first thing that is wrong with each of its fields. */
export function parseFields<T extends z.ZodMiniType>(
  type: T,
  value: unknown,
): { data: z.output<T> } | { fields: Record<string, FieldError> } {
  const parsed = z.safeParse(type, value, { error: () => '', reportInput: true })
  if (parsed.success) return { data: parsed.data }
  const fields: Record<string, FieldError> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= fieldError(issue)
  return { fields }
}
