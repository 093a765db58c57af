import { EVENT_RETENTION_DAYS } from '#contract/account-events.ts'
import { UNDO_DAYS } from '#contract/email-change.ts'

/**
 * Every period after which something is deleted or reduced by itself (decision retention-and-deletion). The cleanups read it;
 * `docs/retention.md` says what each is for, since when it counts and what happens then, and a test compares the periods. What follows
 * from how long a link, a token or a count works stands where that does (`auth/cleanup.ts`, `limits`), and so do the hour and the day of
 * photos that were never sent (`attachments/queries.ts`, `collisions/queries.ts`).
 */
export const RETENTION = {
  deletions: '90 days',
  unconfirmedAccounts: '7 days',
  idleSessions: '90 days',
  sessionAddresses: '90 days',
  accountEvents: `${EVENT_RETENTION_DAYS} days`,
  emailChanges: '1 days',
  formerAddresses: `${UNDO_DAYS} days`,
  removedFactors: `${UNDO_DAYS} days`,
  knownNetworks: '90 days',
  counters: '31 days',
  challenges: '90 days',
  disputeDocuments: '30 days',
  invitations: '7 days',
  finishedMails: '30 days',
  capturedMails: '30 days',
  commandRuns: '90 days',
  messages: '12 months',
  answerLinks: '1 days',
  collisions: '24 months',
  collisionCards: '24 months',
  receipts: '30 days',
  unopenedNotes: '3 days',
  openedNotes: '7 days',
  auditLog: '24 months',
  reportedMessages: '24 months',
  sanctions: '24 months',
} as const satisfies Record<string, `${number} ${'minutes' | 'days' | 'months'}`>
