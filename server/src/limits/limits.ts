import { LIMITED_MESSAGES_PER_DAY } from '#contract/sanctions.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

/** One limit, before LIMIT_SCALE. */
export type Limit = {
  max: number
  /** The seconds in which `max` are allowed; null: `max` are allowed at one time. */
  windowS: number | null
  /** Counted by each process for itself, until it ends; every other is exact across processes and restarts (decision rate-limits). */
  storage?: 'process'
  /** Everybody together; every other is for each person, network or the like. */
  subject?: 'installation'
}

/**
 * Every limit there is (decision rate-limits). `docs/limits.md` says what each limits and for whom, and a test compares the numbers.
 * LIMIT_SCALE multiplies each (`scaleLimit` in `rate-limiter.ts`).
 */
export const LIMITS = {
  messagesPerHour: { max: 20, windowS: HOUR_S },
  messagesPerDay: { max: 40, windowS: DAY_S },
  sanctionedMessagesPerDay: { max: LIMITED_MESSAGES_PER_DAY, windowS: DAY_S },
  unansweredPerDay: { max: 5, windowS: DAY_S },
  unansweredPerMonth: { max: 10, windowS: 30 * DAY_S },
  missesPerHour: { max: 15, windowS: HOUR_S },
  missesPerDay: { max: 30, windowS: DAY_S },
  networkMissesPerDay: { max: 200, windowS: DAY_S },
  networkNewAccountMessagesPerDay: { max: 200, windowS: DAY_S },
  noteTriesPerHour: { max: 30, windowS: HOUR_S },
  wrongNoteTries: { max: 10, windowS: null },
  answerLinkCallsPerNetwork: { max: 300, windowS: HOUR_S },
  answerLinkCalls: { max: 60, windowS: HOUR_S },
  concurrentCalls: { max: 64, windowS: null, storage: 'process' },
  concurrentCallsWhenFull: { max: 8, windowS: null, storage: 'process' },
  concurrentSignIns: { max: 32, windowS: null, storage: 'process' },
  concurrentSends: { max: 8, windowS: null, storage: 'process' },
  tagMessagesPerHour: { max: 4, windowS: HOUR_S },
  tagMessagesPerDay: { max: 10, windowS: DAY_S },
  tagWrongTries: { max: 3, windowS: HOUR_S },
  tagTriesPerHour: { max: 30, windowS: HOUR_S },
  guestMessagesPerDevice: { max: 5, windowS: DAY_S },
  guestMessagesPerNetwork: { max: 20, windowS: DAY_S },
  guestFailures: { max: 100, windowS: 10 * MINUTE_S, subject: 'installation' },
  searchesPerHour: { max: 120, windowS: HOUR_S },
  concurrentSearches: { max: 1, windowS: null, storage: 'process' },
  reportsPerDay: { max: 20, windowS: DAY_S },
  uploadsPerDay: { max: 60, windowS: DAY_S },
  concurrentUploads: { max: 3, windowS: null, storage: 'process' },
  documentsPerDay: { max: 20, windowS: DAY_S },
  concurrentDocuments: { max: 2, windowS: null, storage: 'process' },
  registrationsPerDay: { max: 10, windowS: DAY_S },
  invitationsPerDay: { max: 10, windowS: DAY_S },
  invitationCodesPerHour: { max: 10, windowS: HOUR_S },
  driversPerVehicle: { max: 9, windowS: null },
  vehiclesPerUser: { max: 20, windowS: null },
  emailChangesPerDay: { max: 5, windowS: DAY_S },
  failedSignIns: { max: 10, windowS: 15 * MINUTE_S },
  failedSignInsPerAccount: { max: 25, windowS: HOUR_S },
  failedCodes: { max: 10, windowS: 15 * MINUTE_S },
  failedCodesPerDay: { max: 50, windowS: DAY_S },
  emailedCodeTries: { max: 5, windowS: null },
  wrongEmailedCodesPerDay: { max: 50, windowS: DAY_S },
  wrongEmailedCodesPerHour: { max: 100, windowS: HOUR_S },
  signUps: { max: 100, windowS: HOUR_S },
  contactMessages: { max: 5, windowS: HOUR_S },
  allSignUps: { max: 1_000, windowS: HOUR_S, subject: 'installation' },
  allAccountMails: { max: 2_000, windowS: HOUR_S, subject: 'installation' },
  allContactMessages: { max: 200, windowS: HOUR_S, subject: 'installation' },
  accountMails: { max: 5, windowS: HOUR_S },
  accountMailsPerAddress: { max: 20, windowS: HOUR_S },
  exportsPerHour: { max: 5, windowS: HOUR_S },
  pushTestsPerHour: { max: 5, windowS: HOUR_S },
  pushSubscriptions: { max: 10, windowS: null },
  liveStreams: { max: 5, windowS: null, storage: 'process' },
  anonymousRequests: { max: 300, windowS: MINUTE_S, storage: 'process' },
  userRequests: { max: 1_200, windowS: MINUTE_S, storage: 'process' },
  tokenRequests: { max: 150, windowS: 5 * MINUTE_S, storage: 'process' },
  refreshRequests: { max: 150, windowS: 5 * MINUTE_S, storage: 'process' },
  sessionRequests: { max: 3_000, windowS: 5 * MINUTE_S, storage: 'process' },
  verifyRequests: { max: 30, windowS: 5 * MINUTE_S, storage: 'process' },
  accountRequests: { max: 30, windowS: 5 * MINUTE_S, storage: 'process' },
} as const satisfies Record<string, Limit>
