import type { ErrorCode, LimitText } from '#contract/errors.ts'

/** What a refusal may carry besides its code; `fields` names what is wrong with single inputs (decision 0031). */
export type RefusalDetails = {
  fields?: Record<string, string>
  provinces?: string[]
  /** Seconds until a new try makes sense; sent as Retry-After. */
  retryAfterS?: number
  /** Which limit it was, for a text of its own in place of the code's. */
  limit?: LimitText
}

/** An expected failure. `http/errors.ts` turns it into an answer; everything else that is thrown is a fault. */
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

/** Refuses the request with one of the codes of `contract/src/errors.ts`. */
export function refuse(code: ErrorCode, details?: RefusalDetails): never {
  throw new Refusal(code, details)
}
