const MINUTE_S = 60
export const HOUR_S = 60 * MINUTE_S
export const DAY_S = 24 * HOUR_S

/** One limit, as it is before LIMIT_SCALE. */
export type Limit = {
  /** What is limited, and for whom: a line of `docs/limits.md`. */
  what: string
  per: string
  most: number
  /** Seconds in which so many are let through; null: so many at one time. */
  windowS: number | null
  /**
   * Where it is counted. `database`: exact over several processes and after a restart. `process`: each process has a count of
   * its own, which ends with it (decision 0017).
   */
  counted: 'database' | 'process'
}

/**
 * Every limit there is (design §6), and what they are called in code. `docs/limits.md` is made from this table, and a test
 * compares the two. LIMIT_SCALE multiplies each (`scaled` in `http/rate-limit.ts`).
 */
export const LIMITS = {
  messagesAnHour: { what: 'Messages sent', per: 'person', most: 20, windowS: HOUR_S, counted: 'database' },
  messagesADay: { what: 'Messages sent', per: 'person', most: 40, windowS: DAY_S, counted: 'database' },
  firstDayMessagesAnHour: {
    what: 'Messages sent',
    per: 'account in its first 24 hours',
    most: 10,
    windowS: HOUR_S,
    counted: 'database',
  },
  firstDayMessagesADay: {
    what: 'Messages sent',
    per: 'account in its first 24 hours',
    most: 20,
    windowS: DAY_S,
    counted: 'database',
  },
  unansweredADay: {
    what: 'Messages to one vehicle since its last reply to this person',
    per: 'person and vehicle',
    most: 5,
    windowS: DAY_S,
    counted: 'database',
  },
  unansweredAMonth: {
    what: 'Messages to one vehicle since its last reply to this person',
    per: 'person and vehicle',
    most: 10,
    windowS: 30 * DAY_S,
    counted: 'database',
  },
  inboundAnHour: { what: 'Messages received', per: 'vehicle', most: 60, windowS: HOUR_S, counted: 'database' },
  missesAnHour: {
    what: 'Sends that reached nobody (decision 0025)',
    per: 'person',
    most: 15,
    windowS: HOUR_S,
    counted: 'database',
  },
  missesADay: {
    what: 'Sends that reached nobody (decision 0025)',
    per: 'person',
    most: 30,
    windowS: DAY_S,
    counted: 'database',
  },
  uploadsADay: { what: 'Images uploaded', per: 'person', most: 60, windowS: DAY_S, counted: 'database' },
  uploadsAtOnce: { what: 'Uploads under way', per: 'person', most: 3, windowS: null, counted: 'process' },
  registrationsADay: {
    what: 'Tries to register a plate',
    per: 'person',
    most: 10,
    windowS: DAY_S,
    counted: 'database',
  },
  heldVehicles: { what: 'Vehicles held', per: 'person', most: 20, windowS: null, counted: 'database' },
  failedSignIns: {
    what: 'Sign-ins that failed, wrong current passwords',
    per: 'address and network, person',
    most: 10,
    windowS: 15 * MINUTE_S,
    counted: 'database',
  },
  signUps: { what: 'Sign-ups', per: 'network', most: 30, windowS: HOUR_S, counted: 'database' },
  contacts: { what: 'Messages from the contact page', per: 'network', most: 5, windowS: HOUR_S, counted: 'database' },
  accountMails: {
    what: 'Mails with a link (sign-up, recovery, sign-in)',
    per: 'address',
    most: 5,
    windowS: HOUR_S,
    counted: 'database',
  },
  exportsAnHour: { what: 'Exports of the own data', per: 'person', most: 5, windowS: HOUR_S, counted: 'database' },
  pushTestsAnHour: { what: 'Test notifications', per: 'person', most: 5, windowS: HOUR_S, counted: 'database' },
  pushDevices: {
    what: 'Devices with notifications; one more takes the place of the oldest',
    per: 'person',
    most: 10,
    windowS: null,
    counted: 'database',
  },
  liveStreams: { what: 'Live streams open', per: 'person', most: 5, windowS: null, counted: 'process' },
  visitorRequests: {
    what: 'Requests to the interface without a good token',
    per: 'network',
    most: 300,
    windowS: MINUTE_S,
    counted: 'process',
  },
  userRequests: {
    what: 'Requests to the interface',
    per: 'person',
    most: 1_200,
    windowS: MINUTE_S,
    counted: 'process',
  },
  tokenRequests: { what: 'Sign-ins', per: 'network', most: 150, windowS: 5 * MINUTE_S, counted: 'process' },
  renewalRequests: {
    what: 'Renewals of sessions',
    per: 'network',
    most: 150,
    windowS: 5 * MINUTE_S,
    counted: 'process',
  },
  verifyRequests: { what: 'Links opened', per: 'network', most: 30, windowS: 5 * MINUTE_S, counted: 'process' },
  accountRequests: {
    what: 'Calls that make or change an account or send a mail',
    per: 'network',
    most: 30,
    windowS: 5 * MINUTE_S,
    counted: 'process',
  },
} as const satisfies Record<string, Limit>
