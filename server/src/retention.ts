import { EVENT_RETENTION_DAYS } from '#contract/account-events.ts'
import { UNDO_DAYS } from '#contract/email-change.ts'

/** One period for which something is kept. */
export type RetentionPeriod = {
  what: string
  /** An interval of the database. */
  period: `${number} ${'minutes' | 'days' | 'months'}`
  /** When the period begins. */
  since: string
  /** What happens when it is over. */
  end: string
}

/**
 * Every period after which something is deleted or reduced by itself (decision retention-and-deletion). The cleanups read it, and
 * `docs/retention.md` is generated from it; a test compares the two. What follows from how long a link, a token or a count works
 * stands where that does (`auth/cleanup.ts`, `limits`).
 */
export const RETENTION = {
  deletions: {
    what: 'The ids of what was deleted, which a restored backup must not bring back',
    period: '90 days',
    since: 'the deletion',
    end: 'deleted',
  },
  unconfirmedAccounts: {
    what: 'Accounts whose address nobody confirmed',
    period: '7 days',
    since: 'the last email with a link',
    end: 'deleted',
  },
  idleSessions: {
    what: 'Sessions, with the kind of browser',
    period: '90 days',
    since: 'their last renewal',
    end: 'deleted',
  },
  sessionAddresses: {
    what: 'The IP address of a session',
    period: '90 days',
    since: 'the sign-in',
    end: 'replaced by a keyed hash of its network',
  },
  accountEvents: {
    what: 'What happened to an account: sign-ins, failures, second factors, with a keyed hash of the network',
    period: `${EVENT_RETENTION_DAYS} days`,
    since: 'it happened',
    end: 'deleted',
  },
  emailChanges: {
    what: 'The address that a change was asked for, until both mailboxes confirm it',
    period: '1 days',
    since: 'it was asked for',
    end: 'deleted',
  },
  formerAddresses: {
    what: 'The address an account had before a change, so that its mailbox can undo it',
    period: `${UNDO_DAYS} days`,
    since: 'the change',
    end: 'deleted; the hash of the mailbox goes once no account, report, sanction or challenge of the person is left',
  },
  removedFactors: {
    what: 'A second factor that was removed, so that the email about that can put it back',
    period: `${UNDO_DAYS} days`,
    since: 'it was removed',
    end: 'deleted',
  },
  knownNetworks: {
    what: 'The note, under a keyed hash, that somebody signed in, or gave a code, from a network',
    period: '90 days',
    since: 'the last one from it',
    end: 'deleted',
  },
  counters: {
    what: 'Counts against abuse, under a keyed hash of a mailbox, account, network or message from the contact page',
    period: '31 days',
    since: 'what was counted; most end within an hour or a day',
    end: 'deleted',
  },
  challenges: {
    what: 'The note that a person challenged a plate, under a keyed hash of the mailbox',
    period: '90 days',
    since: 'the challenge; it outlives the account',
    end: 'deleted',
  },
  disputeDocuments: {
    what: 'Documents uploaded for a dispute over a plate',
    period: '30 days',
    since: 'the due date; the decision, or any other end of the dispute, deletes them at once',
    end: 'deleted',
  },
  invitations: {
    what: 'Invitations to drive a vehicle, with a keyed hash of the code and of the address they are for',
    period: '7 days',
    since: 'they were made; a code works for 15 minutes, and one that was used or withdrawn is deleted at once',
    end: 'deleted',
  },
  finishedMails: {
    what: 'The note that an email was sent; of one from the contact page that never arrived, also what somebody wrote',
    period: '30 days',
    since: 'it was written',
    end: 'deleted',
  },
  capturedMails: {
    what: 'Emails that are kept to be read instead of being sent, during development',
    period: '30 days',
    since: 'they were written',
    end: 'deleted',
  },
  commandRuns: {
    what: 'The note that a command ran, such as a backup, and how it ended',
    period: '90 days',
    since: 'it began; the next run deletes it',
    end: 'deleted',
  },
  messages: {
    what: 'Messages, with their images, replies, notifications and emails',
    period: '12 months',
    since: 'they were sent or answered, whatever was last',
    end: 'deleted',
  },
  answerLinks: {
    what: 'The links of emails that answer a message without signing in, under a keyed hash',
    period: '1 days',
    since: 'the email; they work no longer, and not once the message is answered',
    end: 'deleted',
  },
  collisions: {
    what: 'Messages about a collision that say who hit or saw, with what a witness offered',
    period: '24 months',
    since: 'they were sent',
    end: 'deleted',
  },
  collisionCards: {
    what: 'The card of particulars of somebody who hit a vehicle',
    period: '24 months',
    since: 'it was sent; it goes before when the message is gone from both sides',
    end: 'deleted',
  },
  receipts: {
    what: 'The receipt of a message left at a vehicle by somebody without an account, with the device to tell of the answer',
    period: '30 days',
    since: 'it was left or answered, whatever was last; the device is forgotten once it was told',
    end: 'deleted',
  },
  unopenedNotes: {
    what: 'Notes for a windshield that nobody opened',
    period: '3 days',
    since: 'they were left',
    end: 'deleted; the sender keeps the line that there was one, as long as a message',
  },
  openedNotes: {
    what: 'Notes for a windshield',
    period: '7 days',
    since: 'they were first opened; thrown away or claimed, they are deleted at once',
    end: 'deleted; the sender keeps that line, with the reply',
  },
  auditLog: {
    what: 'The audit log: what admins decided, opened and looked up',
    period: '24 months',
    since: 'it was done',
    end: 'deleted',
  },
  reportedMessages: {
    what: 'Copies of reported messages, with the reports',
    period: '24 months',
    since: 'the first report; they outlive the message, the vehicle and both accounts',
    end: 'deleted',
  },
  sanctions: {
    what: 'What admins decided about people, with the reasons and appeals',
    period: '24 months',
    since: 'it ended, or was decided if it does not last',
    end: 'deleted, with the hash of the mailbox once no report or sanction is left of it',
  },
} as const satisfies Record<string, RetentionPeriod>
