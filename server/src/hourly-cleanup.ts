import { deleteOldAuditEntries } from './audit/queries.ts'
import { cleanUpAccounts } from './auth/cleanup.ts'
import { cleanUpEmailChanges } from './auth/email-change-queries.ts'
import { deleteOldEvents } from './auth/events.ts'
import { cleanUpFactors } from './auth/factor-queries.ts'
import { forgetOldDeletions } from './backup/deletion-journal.ts'
import { cleanUpCards } from './collisions/cleanup.ts'
import type { AppContext } from './context.ts'
import { deleteOldChallenges } from './disputes/queries.ts'
import { deleteExpiredDocuments } from './documents/queries.ts'
import { purgeCapturedMails } from './email/captured-mails.ts'
import { purgeFinishedMails } from './email/queries.ts'
import { markArrivedReachable } from './email/returned-mails.ts'
import { type BackgroundJob, startIntervalJob } from './jobs/interval-job.ts'
import { describeError } from './log/safe-error.ts'
import { deleteOldAnswerLinks } from './messages/answer-links.ts'
import { deleteOldMessages } from './messages/queries.ts'
import { deleteExpiredNotes } from './notes/queries.ts'
import { deleteOldCases } from './reports/queries.ts'
import { deleteOldSanctions } from './sanctions/queries.ts'
import { deleteUnusedSubjects } from './subjects/queries.ts'
import { deleteOldReceipts } from './tags/receipts.ts'
import { HOUR_MS } from './time.ts'
import { deleteEndedInvitations } from './vehicle-people/invitation-queries.ts'

type CleanupContext = Pick<AppContext, 'db' | 'keyring' | 'files' | 'log'>

/** What is deleted at start and then every hour, named as the log names it: most of the periods of `retention.ts`. */
const CLEANUPS: Record<string, (context: CleanupContext, stopping: AbortSignal) => Promise<void>> = {
  accounts: ({ db, keyring }) => cleanUpAccounts(db, keyring),
  'changes of address': ({ db }) => cleanUpEmailChanges(db),
  'second factors': ({ db }) => cleanUpFactors(db),
  'account events': ({ db }) => deleteOldEvents(db),
  'documents of disputes': ({ db }) => deleteExpiredDocuments(db),
  challenges: ({ db }) => deleteOldChallenges(db),
  reports: ({ db }) => deleteOldCases(db),
  sanctions: ({ db }) => deleteOldSanctions(db),
  'subjects nothing is known about': ({ db }) => deleteUnusedSubjects(db),
  invitations: ({ db }) => deleteEndedInvitations(db),
  receipts: ({ db }) => deleteOldReceipts(db),
  messages: ({ db }) => deleteOldMessages(db),
  'links that answer': ({ db }) => deleteOldAnswerLinks(db),
  'cards of collisions': ({ db, keyring }) => cleanUpCards(db, keyring),
  notes: ({ db }) => deleteExpiredNotes(db),
  'audit entries': ({ db }) => deleteOldAuditEntries(db),
  'captured emails': ({ db }) => purgeCapturedMails(db),
  'notes of sent emails': async ({ db }, stopping) => {
    while (!stopping.aborted && (await purgeFinishedMails(db)));
  },
  'marks of unreachable addresses': ({ db }) => markArrivedReachable(db),
  'notes of deletions': ({ db, files }) => forgetOldDeletions(db, files),
}

/**
 * Deletes everything whose period is over. What cannot be deleted is logged and keeps nothing else from being deleted; the first
 * error is thrown at the end. Several processes may do so at the same time.
 */
export async function deleteWhatIsOver(context: CleanupContext, stopping: AbortSignal): Promise<void> {
  const errors: unknown[] = []
  for (const [name, cleanUp] of Object.entries(CLEANUPS)) {
    if (stopping.aborted) return
    try {
      await cleanUp(context, stopping)
    } catch (error) {
      context.log.warn({ error: describeError(error) }, `old ${name} could not be deleted`)
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/** Starts the one job that deletes what is over, every hour. */
export const startHourlyCleanup = (context: CleanupContext): BackgroundJob =>
  startIntervalJob(context, 'deleting what is over', HOUR_MS, (stopping) => deleteWhatIsOver(context, stopping))
