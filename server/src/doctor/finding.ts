import { isOperatorError } from '../log/operator-error.ts'
import { errorCode } from '../log/safe-error.ts'
import { SECOND_MS, TimeoutError, withTimeout } from '../time.ts'

type Level = 'ok' | 'warn' | 'FAIL'
/** What a check has found, in one line that says what to do unless everything is fine. */
export type Finding = { level: Level; text: string }

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warn = (text: string): Finding => ({ level: 'warn', text })
export const fail = (text: string): Finding => ({ level: 'FAIL', text })

/** Every check ends by then, whatever it asks. */
const CHECK_LIMIT_S = 5

/**
 * Runs a check within its time. What it throws is a failure like any other: the message when it is for the operator, otherwise the
 * error's code or name only, because messages of others can quote anything.
 *
 * @param onSilence what to do when nothing answers
 */
export async function runWithinLimit(check: () => Promise<Finding | Finding[]>, onSilence: string): Promise<Finding[]> {
  try {
    return [await withTimeout(check(), CHECK_LIMIT_S * SECOND_MS)].flat()
  } catch (error) {
    if (error instanceof TimeoutError) return [fail(`no answer within ${CHECK_LIMIT_S} seconds: ${onSilence}`)]
    if (isOperatorError(error)) return [fail(error.message)]
    return [fail(`failed unexpectedly (${errorCode(error)})`)]
  }
}
