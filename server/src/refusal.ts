import type { ERROR_STATUS, ErrorCode } from '#contract/errors.ts'

/** The limits of which a person reads something of their own, as `limit_<name>` in the catalogue, instead of the text of the code. */
export type LimitText =
  | 'messages'
  | 'misses'
  | 'unanswered'
  | 'contact'
  | 'notes'
  | 'reports'
  | 'guest'
  | 'uploads'
  | 'documents'

/** What is wrong with a field; a person reads `field_<code>` of the catalogue, with the values in it. */
export type FieldError = { code: FieldCode; values?: Record<string, string | number | object | undefined> }

type FieldKey = Extract<keyof typeof import('#texts/messages.js').m, `field_${string}`>
/** `fields_missing` makes the refusal one of its own (requirements §5), whose text stands at the field as well. */
export type FieldCode = (FieldKey extends `field_${infer Code}` ? Code : never) | 'fields_missing'

/** Details a refusal may carry besides its code; `fields` says what is wrong with single inputs (`docs/http-interface.md`). */
export type RefusalDetails = {
  fields?: Record<string, FieldError>
  provinces?: string[]
  /** Seconds until a retry makes sense; sent as Retry-After. */
  retryAfterS?: number
  /** The limit that was exceeded, when it has a text of its own that replaces the code's. */
  limit?: LimitText
}

/** An expected failure. `http/errors.ts` turns it into a response; anything else that is thrown is an unexpected error. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: RefusalDetails

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}

/** What a refusal has to say: for too many, when to try again. */
type NeededDetails<Code extends ErrorCode> = (typeof ERROR_STATUS)[Code] extends 429
  ? [details: RefusalDetails & { retryAfterS: number }]
  : [details?: RefusalDetails]

/** Refuses the request with one of the codes of `contract/src/errors.ts`. */
export function refuse<Code extends ErrorCode>(code: Code, ...[details]: NeededDetails<Code>): never {
  throw new Refusal(code, details)
}
