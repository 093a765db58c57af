import { setTimeout as delay } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import { ceilingCount, consumeCounts, limitCount, networkCounts } from '../limits/enforce-limit.ts'
import { clientNetwork } from '../limits/network.ts'
import {
  type Count,
  consume,
  countUnlimited,
  giveBack,
  isRemembered,
  type RateLimitResult,
  readCount,
  remember,
  resetLimit,
  userLimitKey,
} from '../limits/rate-limiter.ts'
import { RETENTION } from '../retention.ts'
import { DAY_S, SECOND_MS } from '../time.ts'
import { fail, failOverLimit } from './errors.ts'

// The limits of decision rate-limits on accounts. Each fails with 429 and Retry-After. What a count is about is hashed in its key.

type LimitContext = Pick<AppContext, 'config' | 'db' | 'keyring' | 'log'>

const toKey = ({ keyring }: LimitContext, purpose: string, ...about: string[]) =>
  userLimitKey(keyring, purpose, about.join(' '))

const rememberNetwork = ({ db }: LimitContext, key: string) => remember(db, key, RETENTION.knownNetworks)

/** Returns the key under which it is remembered that somebody signed in to an address from this network. */
const knownNetworkKey = (context: LimitContext, email: string, ip: string): string =>
  toKey(context, 'known-network', email, clientNetwork(ip))

// --- passwords and codes: what was right is given back

/**
 * Counts what somebody gives, before it is checked. Returns a function to call when it was right: it ends the counts, and
 * remembers the network.
 */
async function countGuess(context: LimitContext, counts: Count[], knownNetwork?: string): Promise<() => Promise<void>> {
  const { db, log } = context
  failOverLimit(await consumeCounts(db, log, counts))
  return async () => {
    await resetLimit(db, ...counts.map(({ key }) => key))
    if (knownNetwork !== undefined) await rememberNetwork(context, knownNetwork)
  }
}

/** An attempt to sign in to an address with a password, whether or not there is an account. */
type SignInAttempt = {
  /** Somebody signed in to this address from this network before: it has slots of its own for checking passwords. */
  isFromKnownNetwork: boolean
  /** Call when the password was right. */
  succeeded(): Promise<void>
  /** Call when it was wrong. Returns whether to notify the owner of the account, if there is one: at most once a day. */
  failed(): Promise<boolean>
}

/** How long an attempt waits while many fail at an address; nobody is locked out. */
const SLOWED_DOWN_MS = 3 * SECOND_MS

/**
 * Begins an attempt, before a password is checked: counts it in the networks of the caller, and delays it while many
 * networks together try passwords at this address (decision rate-limits). A network the person signed in from before does not
 * wait.
 */
export async function beginSignIn(context: LimitContext, ip: string, email: string): Promise<SignInAttempt> {
  const { config, db } = context
  const ofNetworks = networkCounts(config, 'failedSignIns', ip, (network) => toKey(context, 'sign-in', email, network))
  const ofAccount = limitCount(config, 'failedSignInsPerAccount', toKey(context, 'sign-in-account', email))
  const knownNetwork = knownNetworkKey(context, email, ip)

  const succeeded = await countGuess(context, ofNetworks, knownNetwork)
  const [isFromKnownNetwork, failures] = await Promise.all([isRemembered(db, knownNetwork), readCount(db, ofAccount)])
  if (failures >= ofAccount.max && !isFromKnownNetwork) await delay(SLOWED_DOWN_MS)

  return {
    isFromKnownNetwork,
    succeeded,
    async failed() {
      await countUnlimited(db, ofAccount)
      if ((await readCount(db, ofAccount)) < ofAccount.max) return false
      return (await consume(db, toKey(context, 'sign-in-account-mail', email), 1, DAY_S)).allowed
    },
  }
}

/**
 * Counts an attempt before a signed-in person's current password is checked. Returns a function that resets the count, to
 * call on success.
 */
export async function countCurrentPassword(context: LimitContext, userId: string): Promise<() => Promise<void>> {
  const key = toKey(context, 'current-password', userId)
  return countGuess(context, [limitCount(context.config, 'failedSignIns', key)])
}

/** Whose code is about to be checked, and where. */
type CodeGuess = {
  userId: string
  /** The session, when a factor has verified it already; null otherwise. */
  verifiedSessionId: string | null
  ip: string | null
}

/**
 * Counts an attempt before the code of an authenticator app is checked; a day's wrong codes are limited too (decision
 * second-factor). Returns a function to call on success.
 */
export async function countFactorCode(
  context: LimitContext,
  { userId, verifiedSessionId, ip }: CodeGuess,
): Promise<() => Promise<void>> {
  const { config, db } = context
  const network = ip === null ? '' : clientNetwork(ip)
  const knownNetwork = toKey(context, 'factor-network', userId, network)
  const isKnown = ip !== null && (await isRemembered(db, knownNetwork))
  // somebody with only the password uses up the attempts of unknown networks, and no others
  const key = toKey(context, 'factor-code', userId, verifiedSessionId ?? (isKnown ? network : 'elsewhere'))
  const counts = [limitCount(config, 'failedCodes', key), limitCount(config, 'failedCodesPerDay', `${key}:day`)]
  return countGuess(context, counts, ip === null ? undefined : knownNetwork)
}

/**
 * Counts a try with the code of an email before it is judged, whether or not the address has an account. Somebody without the
 * mailbox uses up the tries of unknown networks, and no others; the link in the email works all the same. Returns a function to call
 * when the code was right.
 */
export async function countEmailedCode(context: LimitContext, ip: string, email: string): Promise<() => Promise<void>> {
  const { config, db, log } = context
  const knownNetwork = knownNetworkKey(context, email, ip)
  const origin = (await isRemembered(db, knownNetwork)) ? clientNetwork(ip) : 'elsewhere'
  const ofAddress = limitCount(config, 'wrongEmailedCodesPerDay', toKey(context, 'code', email, origin))
  const toNetworkKey = (network: string) => toKey(context, 'code-network', network)
  const ofNetworks = networkCounts(config, 'wrongEmailedCodesPerHour', ip, toNetworkKey)
  failOverLimit(await consumeCounts(db, log, [ofAddress, ...ofNetworks]))
  return async () => {
    await giveBack(db, ofNetworks)
    await resetLimit(db, ofAddress.key)
    await rememberNetwork(context, knownNetwork)
  }
}

// --- sign-ups and emails

/** Counts a sign-up in the networks of the caller. */
export async function countSignUp(context: LimitContext, ip: string): Promise<void> {
  const { config, db, log } = context
  const counts = networkCounts(config, 'signUps', ip, (network) => toKey(context, 'sign-up', network))
  failOverLimit(await consumeCounts(db, log, [...counts, ceilingCount(config, 'allSignUps')]))
}

/**
 * Counts an email before it is queued, for unknown addresses too. Each network has its own count for an address, so that
 * no stranger's requests use up those of its owner; all together are limited higher up.
 *
 * @param count /signup, /resend and /otp share one, whatever the state of the account: separate ones would reveal which email an
 *   address gets, and so whether it has an account
 */
export const consumeMail = (
  context: LimitContext,
  count: 'confirm' | 'recover',
  ip: string,
  email: string,
): Promise<RateLimitResult> =>
  consumeCounts(context.db, context.log, [
    limitCount(context.config, 'accountMails', toKey(context, `${count}-mail`, email, clientNetwork(ip))),
    limitCount(context.config, 'accountMailsPerAddress', toKey(context, `${count}-mail`, email)),
    ceilingCount(context.config, 'allAccountMails'),
  ])

/** Counts an email before it is queued (see `consumeMail`), and fails when there were too many. */
export async function countMail(...mail: Parameters<typeof consumeMail>): Promise<void> {
  const { allowed, retryAfterS } = await consumeMail(...mail)
  if (allowed) return
  const message = `For security purposes, you can only request this after ${retryAfterS} seconds.`
  fail('over_email_send_rate_limit', { message, retryAfterS })
}
