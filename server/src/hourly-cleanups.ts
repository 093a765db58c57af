import { deleteOldAuditEntries } from './audit/queries.ts'
import { cleanUpAccounts } from './auth/cleanup.ts'
import { cleanUpEmailChanges } from './auth/email-change/queries.ts'
import { deleteOldEvents } from './auth/events/event-queries.ts'
import { cleanUpFactors } from './auth/factors/factor-queries.ts'
import { cleanUpCards } from './collisions/cleanup.ts'
import { cleanUpContactSubmissions } from './contact/cleanup.ts'
import type { Pool } from './db/pool.ts'
import { deleteOldChallenges } from './disputes/queries.ts'
import type { Keyring } from './encryption/envelope-encryption.ts'
import { deleteOldMessages } from './messages/queries.ts'
import { deleteExpiredNotes } from './notes/queries.ts'
import { deleteOldCases } from './reports/queries.ts'
import { deleteOldSanctions } from './sanctions/queries.ts'
import { deleteUnusedSubjects } from './subjects/queries.ts'
import { deleteOldReceipts } from './tags/queries.ts'
import { deleteEndedInvitations } from './vehicle-people/invitation-queries.ts'

/**
 * What is deleted at start and then every hour, by the name of its job: most of the periods of `retention.ts`. Several
 * processes may do so at the same time.
 */
export const HOURLY_CLEANUPS: Record<string, (db: Pool, keyring: Keyring) => Promise<void>> = {
  'cleaning up accounts': cleanUpAccounts,
  'cleaning up changes of address': cleanUpEmailChanges,
  'cleaning up second factors': cleanUpFactors,
  'deleting old account events': deleteOldEvents,
  'deleting old contact messages': cleanUpContactSubmissions,
  'deleting old challenges': deleteOldChallenges,
  'deleting old reports': deleteOldCases,
  'deleting old sanctions': deleteOldSanctions,
  'deleting subjects nothing is known about': deleteUnusedSubjects,
  'deleting old invitations': deleteEndedInvitations,
  'deleting old receipts': deleteOldReceipts,
  'deleting old messages': deleteOldMessages,
  'deleting cards of collisions': cleanUpCards,
  'deleting notes that are over': deleteExpiredNotes,
  'deleting old entries of the audit log': deleteOldAuditEntries,
}
