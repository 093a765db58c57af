import { EVENT_RETENTION_DAYS } from '#contract/account-events.ts'

/** One period for which something is kept. */
export type RetentionPeriod = {
  what: string
  /** An interval of the database. */
  period: `${number} ${'minutes' | 'days' | 'months'}`
  /** When the period begins. */
  since: string
  /** What happens when it is over. */
  end: string
  /** Where that is done. */
  where: string
}

/**
 * Every period after which something is deleted or reduced by itself (decision 0095). The cleanups read it, and
 * `docs/retention.md` is generated from it; a test compares the two.
 */
export const RETENTION = {
  unconfirmedAccounts: {
    what: 'Accounts whose address nobody confirmed',
    period: '7 days',
    since: 'the last email with a link',
    end: 'deleted',
    where: 'server/src/auth/cleanup.ts',
  },
  idleSessions: {
    what: 'Sessions, with the kind of browser',
    period: '90 days',
    since: 'their last renewal',
    end: 'deleted',
    where: 'server/src/auth/session-queries.ts',
  },
  sessionAddresses: {
    what: 'The IP address of a session',
    period: '90 days',
    since: 'the sign-in',
    end: 'replaced by a keyed hash of its network',
    where: 'server/src/auth/cleanup.ts',
  },
  accountEvents: {
    what: 'What happened to an account: sign-ins, failures, second factors, with a keyed hash of the network',
    period: `${EVENT_RETENTION_DAYS} days`,
    since: 'it happened',
    end: 'deleted',
    where: 'server/src/auth/events/event-queries.ts',
  },
  knownNetworks: {
    what: 'The note, under a keyed hash, that somebody signed in from a network',
    period: '90 days',
    since: 'the last sign-in from it',
    end: 'deleted',
    where: 'server/src/auth/sign-in-attempt.ts',
  },
  counters: {
    what: 'Counts against abuse, under a keyed hash of a mailbox, account or network',
    period: '31 days',
    since: 'what was counted; most end within an hour or a day',
    end: 'deleted',
    where: 'server/src/limits/rate-limiter.ts',
  },
  challenges: {
    what: 'The note that a person challenged a plate, under a keyed hash of the mailbox',
    period: '90 days',
    since: 'the challenge; it outlives the account',
    end: 'deleted',
    where: 'server/src/disputes/queries.ts',
  },
  disputeDocuments: {
    what: 'Documents uploaded for a dispute over a plate',
    period: '30 days',
    since: 'the due date; the decision, or any other end of the dispute, deletes them at once',
    end: 'deleted',
    where: 'server/src/documents/queries.ts',
  },
  finishedMails: {
    what: 'The note that an email was sent',
    period: '30 days',
    since: 'it was written',
    end: 'deleted',
    where: 'server/src/email/queries.ts',
  },
  contactSubmissions: {
    what: 'What somebody wrote on the contact page',
    period: '12 months',
    since: 'it was sent',
    end: 'deleted',
    where: 'server/src/contact/queries.ts',
  },
  messages: {
    what: 'Messages, with their images, replies, notifications and emails',
    period: '12 months',
    since: 'they were sent or answered, whatever was last',
    end: 'deleted',
    where: 'server/src/messages/queries.ts',
  },
  auditLog: {
    what: 'The audit log: what admins decided, opened and looked up',
    period: '24 months',
    since: 'it was done',
    end: 'deleted',
    where: 'server/src/audit/queries.ts',
  },
  reportedMessages: {
    what: 'Copies of reported messages, with the reports',
    period: '24 months',
    since: 'the first report; they outlive the message, the vehicle and both accounts',
    end: 'deleted',
    where: 'server/src/reports/queries.ts',
  },
  sanctions: {
    what: 'What admins decided about people, with the reasons and appeals',
    period: '24 months',
    since: 'it ended, or was decided if it does not last',
    end: 'deleted, with the hash of the mailbox once no report or sanction is left of it',
    where: 'server/src/sanctions/queries.ts',
  },
} as const satisfies Record<string, RetentionPeriod>
