import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

/** One limit, as it is before LIMIT_SCALE. */
export type Limit = {
  /** What is limited, and for whom: a line of `docs/limits.md`. */
  description: string
  subject: string
  max: number
  /** Seconds in which so many are let through; null: so many at one time. */
  windowS: number | null
  /**
   * Where it is counted. `database`: exact over several processes and after a restart. `process`: each process has a count of
   * its own, which ends with it (decision 0017).
   */
  storage: 'database' | 'process'
}

/**
 * Every limit there is (decision 0071), and what they are called in code. `docs/limits.md` is made from this table, and a test
 * compares the two. LIMIT_SCALE multiplies each (`scaled` in `limits/rate-limiter.ts`).
 */
export const LIMITS = {
  messagesPerHour: { description: 'Messages sent', subject: 'person', max: 20, windowS: HOUR_S, storage: 'database' },
  messagesPerDay: { description: 'Messages sent', subject: 'person', max: 40, windowS: DAY_S, storage: 'database' },
  newAccountMessagesPerHour: {
    description: 'Messages sent',
    subject: 'account in its first 24 hours',
    max: 10,
    windowS: HOUR_S,
    storage: 'database',
  },
  newAccountMessagesPerDay: {
    description: 'Messages sent',
    subject: 'account in its first 24 hours',
    max: 20,
    windowS: DAY_S,
    storage: 'database',
  },
  unansweredPerDay: {
    description: 'Messages to one vehicle since its last reply to this person',
    subject: 'person and vehicle',
    max: 5,
    windowS: DAY_S,
    storage: 'database',
  },
  unansweredPerMonth: {
    description: 'Messages to one vehicle since its last reply to this person',
    subject: 'person and vehicle',
    max: 10,
    windowS: 30 * DAY_S,
    storage: 'database',
  },
  inboundPerHour: {
    description: 'Messages received',
    subject: 'vehicle',
    max: 60,
    windowS: HOUR_S,
    storage: 'database',
  },
  missesPerHour: {
    description: 'Sends that reached nobody (decision 0025)',
    subject: 'person',
    max: 15,
    windowS: HOUR_S,
    storage: 'database',
  },
  missesPerDay: {
    description: 'Sends that reached nobody (decision 0025)',
    subject: 'person',
    max: 30,
    windowS: DAY_S,
    storage: 'database',
  },
  uploadsPerDay: { description: 'Images uploaded', subject: 'person', max: 60, windowS: DAY_S, storage: 'database' },
  concurrentUploads: { description: 'Uploads under way', subject: 'person', max: 3, windowS: null, storage: 'process' },
  registrationsPerDay: {
    description: 'Tries to register a plate',
    subject: 'person',
    max: 10,
    windowS: DAY_S,
    storage: 'database',
  },
  vehiclesPerUser: { description: 'Vehicles held', subject: 'person', max: 20, windowS: null, storage: 'database' },
  failedSignIns: {
    description: 'Sign-ins that failed, wrong current passwords',
    subject: 'address and network, person',
    max: 10,
    windowS: 15 * MINUTE_S,
    storage: 'database',
  },
  signUps: { description: 'Sign-ups', subject: 'network', max: 30, windowS: HOUR_S, storage: 'database' },
  contactMessages: {
    description: 'Messages from the contact page',
    subject: 'network',
    max: 5,
    windowS: HOUR_S,
    storage: 'database',
  },
  accountMails: {
    description: 'Mails with a link (sign-up, recovery, sign-in)',
    subject: 'address',
    max: 5,
    windowS: HOUR_S,
    storage: 'database',
  },
  exportsPerHour: {
    description: 'Exports of the own data',
    subject: 'person',
    max: 5,
    windowS: HOUR_S,
    storage: 'database',
  },
  pushTestsPerHour: {
    description: 'Test notifications',
    subject: 'person',
    max: 5,
    windowS: HOUR_S,
    storage: 'database',
  },
  pushSubscriptions: {
    description: 'Devices with notifications; one more takes the place of the oldest',
    subject: 'person',
    max: 10,
    windowS: null,
    storage: 'database',
  },
  liveStreams: { description: 'Live streams open', subject: 'person', max: 5, windowS: null, storage: 'process' },
  anonymousRequests: {
    description: 'Requests to the interface without a good token',
    subject: 'network',
    max: 300,
    windowS: MINUTE_S,
    storage: 'process',
  },
  userRequests: {
    description: 'Requests to the interface',
    subject: 'person',
    max: 1_200,
    windowS: MINUTE_S,
    storage: 'process',
  },
  tokenRequests: { description: 'Sign-ins', subject: 'network', max: 150, windowS: 5 * MINUTE_S, storage: 'process' },
  refreshRequests: {
    description: 'Renewals of sessions',
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
    description: 'Calls that make or change an account or send a mail',
    subject: 'network',
    max: 30,
    windowS: 5 * MINUTE_S,
    storage: 'process',
  },
} as const satisfies Record<string, Limit>
