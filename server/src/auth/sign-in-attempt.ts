import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { consumeCounts, limitCount, networkCounts } from '../limits/enforce-limit.ts'
import { clientNetwork } from '../limits/network.ts'
import { consume, countUnlimited, isRemembered, readCount, remember, resetLimit } from '../limits/rate-limiter.ts'
import type { Logger } from '../log/logger.ts'
import { RETENTION } from '../retention.ts'
import { DAY_S, SECOND_MS } from '../time.ts'
import { failOverLimit } from './errors.ts'
import { type AuthKeys, hashCounterKey } from './tokens.ts'

/** An attempt to sign in to an address with a password, whether or not there is an account. */
export type SignInAttempt = {
  /** Somebody signed in to this address from this network before: it has slots of its own for checking passwords. */
  isFromKnownNetwork: boolean
  /** Call when the password was right. */
  succeeded(): Promise<void>
  /** Call when it was wrong. Returns whether to notify the owner of the account, if there is one: at most once a day. */
  failed(): Promise<boolean>
}

/** Returns the key under which it is remembered that somebody signed in to an address from this network. */
export const knownNetworkKey = (keys: AuthKeys, email: string, ip: string): string =>
  `known-network:${hashCounterKey(keys, `${email} ${clientNetwork(ip)}`)}`

/** How long an attempt waits while many fail at an address; nobody is locked out. */
const SLOWED_DOWN_MS = 3 * SECOND_MS

type AttemptContext = { db: Db; config: Config; keys: AuthKeys; log: Logger }

/**
 * Begins an attempt, before a password is checked: counts it in the networks of the caller, and delays it while many
 * networks together try passwords at this address (decision rate-limits). A network the person signed in from before does not
 * wait. Fails with 429 and Retry-After.
 */
export async function beginSignIn(
  { db, config, keys, log }: AttemptContext,
  ip: string,
  email: string,
): Promise<SignInAttempt> {
  const toKey = (purpose: string, value: string) => `${purpose}:${hashCounterKey(keys, value)}`
  const ofNetworks = networkCounts(config, 'failedSignIns', ip, (network) => toKey('sign-in', `${email} ${network}`))
  const ofAccount = limitCount(config, 'failedSignInsPerAccount', toKey('sign-in-account', email))
  const knownNetwork = knownNetworkKey(keys, email, ip)

  failOverLimit(await consumeCounts(db, log, ofNetworks))
  const [isFromKnownNetwork, failures] = await Promise.all([isRemembered(db, knownNetwork), readCount(db, ofAccount)])
  if (failures >= ofAccount.max && !isFromKnownNetwork) await delay(SLOWED_DOWN_MS)

  return {
    isFromKnownNetwork,
    async succeeded() {
      await resetLimit(db, ...ofNetworks.map(({ key }) => key))
      await remember(db, knownNetwork, RETENTION.knownNetworks.period)
    },
    async failed() {
      await countUnlimited(db, ofAccount)
      if ((await readCount(db, ofAccount)) < ofAccount.max) return false
      return (await consume(db, toKey('sign-in-account-mail', email), 1, DAY_S)).allowed
    },
  }
}
