import { type ReportReason, reportMessage } from '#contract/reports.ts'
import { submitBlock } from '~/blocks/queries'
import { ApiError, call } from '~/lib/http/api'

/** What the user chose to do about a message. */
export type SafetyChoice = 'block' | 'report' | 'both'

type Submission = { messageId: string; choice: SafetyChoice; reason: ReportReason | null; note: string }

/**
 * Submits the choice: the report first, so that after a failure the same can be tried again.
 *
 * @returns whether the message had been reported before, which changes nothing for the person who reports it
 */
export async function submitSafety({ messageId, choice, reason, note }: Submission): Promise<{ again: boolean }> {
  let again = false
  if (choice !== 'block' && reason !== null) {
    const input = { id: messageId, reason, ...(note.trim() && { note }) }
    await call(reportMessage, input, { withTimeout: true }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'already_reported')) throw error
      again = true
    })
  }
  if (choice !== 'report') await submitBlock(messageId)
  return { again }
}
