import { LIMITED_MESSAGES_PER_DAY } from '#contract/sanctions.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

/** One limit, before LIMIT_SCALE. */
export type Limit = {
  /** What is limited, and for whom: these two make a line of `docs/limits.md`. */
  description: string
  subject: string
  max: number
  /** The seconds in which `max` are allowed; null: `max` are allowed at one time. */
  windowS: number | null
  /** Counted by each process for itself, until it ends; every other is exact across processes and restarts (decision rate-limits). */
  storage?: 'process'
}

/**
 * Every limit there is (decision rate-limits). `docs/limits.md` is generated from this table, and a test compares the two. LIMIT_SCALE
 * multiplies each (`scaleLimit` in `rate-limiter.ts`).
 */
export const LIMITS = {
  messagesPerHour: { description: 'Messages sent', subject: 'person', max: 20, windowS: HOUR_S },
  messagesPerDay: { description: 'Messages sent', subject: 'person', max: 40, windowS: DAY_S },
  sanctionedMessagesPerDay: {
    description: 'Messages sent',
    subject: 'person whose sending an admin limited',
    max: LIMITED_MESSAGES_PER_DAY,
    windowS: DAY_S,
  },
  unansweredPerDay: {
    description: 'Messages to one vehicle since its last reply to this person',
    subject: 'person and vehicle',
    max: 5,
    windowS: DAY_S,
  },
  unansweredPerMonth: {
    description: 'Messages to one vehicle since its last reply to this person',
    subject: 'person and vehicle',
    max: 10,
    windowS: 30 * DAY_S,
  },
  missesPerHour: {
    description: 'Sends that reached nobody (decision rate-limits)',
    subject: 'person',
    max: 15,
    windowS: HOUR_S,
  },
  missesPerDay: {
    description: 'Sends that reached nobody (decision rate-limits)',
    subject: 'person',
    max: 30,
    windowS: DAY_S,
  },
  networkMissesPerDay: {
    description: 'Sends that reached nobody (decision rate-limits), of people with three of their own or more',
    subject: 'network',
    max: 200,
    windowS: DAY_S,
  },
  networkNewAccountMessagesPerDay: {
    description: 'Messages sent by accounts in their first 24 hours, after the first five of each',
    subject: 'network',
    max: 200,
    windowS: DAY_S,
  },
  noteTriesPerHour: {
    description: 'Codes of notes tried, right or wrong',
    subject: 'network',
    max: 30,
    windowS: HOUR_S,
  },
  wrongNoteTries: {
    description: 'Wrong tries since a note was last opened; one more and it opens no more',
    subject: 'note',
    max: 10,
    windowS: null,
  },
  answerLinkCallsPerNetwork: {
    description: 'Messages opened and answered by the link of an email',
    subject: 'network',
    max: 300,
    windowS: HOUR_S,
  },
  answerLinkCalls: {
    description: 'Messages opened and answered by the link of an email',
    subject: 'link, whether or not there is one',
    max: 60,
    windowS: HOUR_S,
  },
  concurrentCalls: {
    description: 'Calls in progress',
    subject: 'user; without a token, network',
    max: 64,
    windowS: null,
    storage: 'process',
  },
  concurrentCallsWhenFull: {
    description: 'Calls in progress while half of MAX_CONCURRENT_CALLS are',
    subject: 'user; without a token, network',
    max: 8,
    windowS: null,
    storage: 'process',
  },
  concurrentSignIns: {
    description: 'Requests to the auth protocol in progress',
    subject: 'network',
    max: 32,
    windowS: null,
    storage: 'process',
  },
  concurrentSends: { description: 'Sends in progress', subject: 'person', max: 8, windowS: null, storage: 'process' },
  tagMessagesPerHour: {
    description: 'Messages left with a windshield tag; one more is answered like one with a wrong plate',
    subject: 'tag',
    max: 4,
    windowS: HOUR_S,
  },
  tagMessagesPerDay: {
    description: 'Messages left with a windshield tag; one more is answered like one with a wrong plate',
    subject: 'tag',
    max: 10,
    windowS: DAY_S,
  },
  tagWrongTries: {
    description: 'Wrong characters of the plate; the last one puts the tag to sleep for an hour',
    subject: 'tag, whether or not there is one',
    max: 3,
    windowS: HOUR_S,
  },
  tagTriesPerHour: {
    description: 'Tries with windshield tags',
    subject: 'network',
    max: 30,
    windowS: HOUR_S,
  },
  guestMessagesPerDevice: {
    description: 'Messages left at vehicles without an account',
    subject: 'device and network',
    max: 5,
    windowS: DAY_S,
  },
  guestMessagesPerNetwork: {
    description: 'Messages left at vehicles without an account',
    subject: 'network',
    max: 20,
    windowS: DAY_S,
  },
  guestFailures: {
    description:
      'Refused tries with windshield tags and notes; beyond it each try needs a computation of the browser first (decision windshield-tag)',
    subject: 'installation',
    max: 100,
    windowS: 10 * MINUTE_S,
  },
  searchesPerHour: {
    description: 'Searches in one’s own messages, each part of 500 messages counted',
    subject: 'user',
    max: 120,
    windowS: HOUR_S,
  },
  concurrentSearches: {
    description: 'Searches in progress',
    subject: 'user',
    max: 1,
    windowS: null,
    storage: 'process',
  },
  reportsPerDay: {
    description: 'Messages and replies reported',
    subject: 'person',
    max: 20,
    windowS: DAY_S,
  },
  uploadsPerDay: { description: 'Images uploaded', subject: 'user', max: 60, windowS: DAY_S },
  concurrentUploads: { description: 'Uploads in progress', subject: 'user', max: 3, windowS: null, storage: 'process' },
  documentsPerDay: {
    description: 'Documents uploaded for disputes',
    subject: 'person',
    max: 20,
    windowS: DAY_S,
  },
  concurrentDocuments: {
    description: 'Uploads of documents in progress',
    subject: 'user',
    max: 2,
    windowS: null,
    storage: 'process',
  },
  registrationsPerDay: {
    description: 'Attempts to register a plate',
    subject: 'person',
    max: 10,
    windowS: DAY_S,
  },
  invitationsPerDay: {
    description: 'Invitations to drive a vehicle',
    subject: 'person',
    max: 10,
    windowS: DAY_S,
  },
  invitationCodesPerHour: {
    description: 'Attempts to accept an invitation',
    subject: 'person',
    max: 10,
    windowS: HOUR_S,
  },
  driversPerVehicle: {
    description: 'Drivers besides the owner',
    subject: 'vehicle',
    max: 9,
    windowS: null,
  },
  vehiclesPerUser: { description: 'Vehicles', subject: 'user', max: 20, windowS: null },
  emailChangesPerDay: {
    description: 'Changes of the own email address asked for, and their emails sent again',
    subject: 'user',
    max: 5,
    windowS: DAY_S,
  },
  failedSignIns: {
    description: 'Failed sign-ins, wrong current passwords',
    subject: 'address and network, user',
    max: 10,
    windowS: 15 * MINUTE_S,
  },
  failedSignInsPerAccount: {
    description: 'Failed sign-ins; the next ones wait a few seconds, and the owner gets an email',
    subject: 'address',
    max: 25,
    windowS: HOUR_S,
  },
  failedCodes: {
    description: 'Wrong codes of an authenticator app',
    subject: 'user; a verified session, each network a code was right in before, and all others apart',
    max: 10,
    windowS: 15 * MINUTE_S,
  },
  failedCodesPerDay: {
    description: 'Wrong codes of an authenticator app',
    subject: 'user; a verified session, each network a code was right in before, and all others apart',
    max: 50,
    windowS: DAY_S,
  },
  emailedCodeTries: {
    description: 'Tries with the code of an email',
    subject: 'code',
    max: 5,
    windowS: null,
  },
  wrongEmailedCodesPerDay: {
    description: 'Wrong codes of emails since the last right one',
    subject: 'address; each network its person signed in from before, and all others apart',
    max: 50,
    windowS: DAY_S,
  },
  wrongEmailedCodesPerHour: {
    description: 'Wrong codes of emails',
    subject: 'network',
    max: 100,
    windowS: HOUR_S,
  },
  signUps: { description: 'Sign-ups', subject: 'network', max: 100, windowS: HOUR_S },
  contactMessages: {
    description: 'Messages from the contact page',
    subject: 'network',
    max: 5,
    windowS: HOUR_S,
  },
  allSignUps: {
    description: 'Sign-ups',
    subject: 'installation',
    max: 1_000,
    windowS: HOUR_S,
  },
  allAccountMails: {
    description: 'Emails with a link (sign-up, recovery, sign-in)',
    subject: 'installation',
    max: 2_000,
    windowS: HOUR_S,
  },
  allContactMessages: {
    description: 'Messages from the contact page',
    subject: 'installation',
    max: 200,
    windowS: HOUR_S,
  },
  accountMails: {
    description: 'Emails with a link (sign-up, recovery, sign-in)',
    subject: 'address and network',
    max: 5,
    windowS: HOUR_S,
  },
  accountMailsPerAddress: {
    description: 'Emails with a link (sign-up, recovery, sign-in)',
    subject: 'address',
    max: 20,
    windowS: HOUR_S,
  },
  exportsPerHour: {
    description: 'Exports of one’s own data',
    subject: 'user',
    max: 5,
    windowS: HOUR_S,
  },
  pushTestsPerHour: {
    description: 'Test notifications',
    subject: 'user',
    max: 5,
    windowS: HOUR_S,
  },
  pushSubscriptions: {
    description: 'Devices with notifications; one more replaces the oldest',
    subject: 'user',
    max: 10,
    windowS: null,
  },
  liveStreams: { description: 'Open live streams', subject: 'user', max: 5, windowS: null, storage: 'process' },
  anonymousRequests: {
    description: 'API requests without a valid token',
    subject: 'network',
    max: 300,
    windowS: MINUTE_S,
    storage: 'process',
  },
  userRequests: {
    description: 'API requests',
    subject: 'user',
    max: 1_200,
    windowS: MINUTE_S,
    storage: 'process',
  },
  tokenRequests: {
    description: 'Sign-ins, with a password or a code, and sign-ups',
    subject: 'network',
    max: 150,
    windowS: 5 * MINUTE_S,
    storage: 'process',
  },
  refreshRequests: {
    description: 'Session renewals',
    subject: 'network',
    max: 150,
    windowS: 5 * MINUTE_S,
    storage: 'process',
  },
  verifyRequests: {
    description: 'Links opened',
    subject: 'network',
    max: 30,
    windowS: 5 * MINUTE_S,
    storage: 'process',
  },
  accountRequests: {
    description: 'Requests that change an account or send an email',
    subject: 'network',
    max: 30,
    windowS: 5 * MINUTE_S,
    storage: 'process',
  },
} as const satisfies Record<string, Limit>
