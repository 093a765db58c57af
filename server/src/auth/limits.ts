import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { ceilingCount, consumeCounts, consumeLimit, limitCount, networkCounts } from '../limits/enforce-limit.ts'
import { clientNetwork } from '../limits/network.ts'
import { giveBack, isRemembered, remember, resetLimit } from '../limits/rate-limiter.ts'
import type { Logger } from '../log/logger.ts'
import { RETENTION } from '../retention.ts'
import { fail, failOverLimit } from './errors.ts'
import { beginSignIn, knownNetworkKey, type SignInAttempt } from './sign-in-attempt.ts'
import { type AuthKeys, hashCounterKey } from './tokens.ts'

/**
 * What emails to an address are counted by. /signup, /resend and /otp share one count, whatever the state of the
 * account: separate ones would reveal which email an address gets, and so whether it has an account.
 */
type MailCount = 'confirm' | 'recover'

export type AuthLimits = {
  /** Counts an attempt before a password is checked (see `beginSignIn`). */
  signIn(request: FastifyRequest, email: string): Promise<SignInAttempt>
  /**
   * Counts an attempt before a signed-in person's current password is checked. Returns a function that resets the count, to
   * call on success.
   */
  currentPassword(userId: string): Promise<() => Promise<void>>
  /** The same before the code of an authenticator app is checked; a day's wrong codes are limited too (decision second-factor). */
  factorCode(guess: CodeGuess): Promise<() => Promise<void>>
  /**
   * Counts a try with the code of an email before it is judged, whether or not the address has an account. Somebody without the
   * mailbox uses up the tries of unknown networks, and no others; the link in the email works all the same. Returns a function to call
   * when the code was right.
   */
  emailedCode(request: FastifyRequest, email: string): Promise<() => Promise<void>>
  signUp(request: FastifyRequest): Promise<void>
  /** Counts a change of an account's address before it is stored, or its emails before they are sent again. */
  emailChange(userId: string): Promise<void>
  /**
   * Counts an email before it is queued, for unknown addresses too. Each network has its own count for an address, so that
   * no stranger's requests use up those of its owner; all together are limited higher up.
   */
  mail(count: MailCount, request: FastifyRequest, email: string): Promise<void>
}

/** Whose code is about to be checked, and where. */
type CodeGuess = {
  userId: string
  /** The session, when a factor has verified it already; null otherwise. */
  verifiedSessionId: string | null
  ip: string | null
}

/** Creates the limits of decision rate-limits on accounts. Each fails with 429 and Retry-After. */
export function createAuthLimits(db: Db, config: Config, keys: AuthKeys, log: Logger): AuthLimits {
  return {
    signIn: (request, email) => beginSignIn({ db, config, keys, log }, request.ip, email),
    async currentPassword(userId) {
      const key = `current-password:${hashCounterKey(keys, userId)}`
      failOverLimit(await consumeLimit(db, config, 'failedSignIns', key))
      return () => resetLimit(db, key)
    },
    async factorCode({ userId, verifiedSessionId, ip }) {
      const network = ip === null ? '' : clientNetwork(ip)
      const knownNetwork = `factor-network:${hashCounterKey(keys, `${userId} ${network}`)}`
      const isKnown = ip !== null && (await isRemembered(db, knownNetwork))
      // somebody with only the password uses up the attempts of unknown networks, and no others
      const origin = verifiedSessionId ?? (isKnown ? network : 'elsewhere')
      const key = `factor-code:${hashCounterKey(keys, `${userId} ${origin}`)}`
      for (const [name, counter] of [
        ['failedCodes', key],
        ['failedCodesPerDay', `${key}:day`],
      ] as const) {
        failOverLimit(await consumeLimit(db, config, name, counter))
      }
      return async () => {
        await resetLimit(db, key)
        await resetLimit(db, `${key}:day`)
        if (ip !== null) await remember(db, knownNetwork, RETENTION.knownNetworks.period)
      }
    },
    async emailedCode({ ip }, email) {
      const knownNetwork = knownNetworkKey(keys, email, ip)
      const origin = (await isRemembered(db, knownNetwork)) ? clientNetwork(ip) : 'elsewhere'
      const ofAddress = limitCount(
        config,
        'wrongEmailedCodesPerDay',
        `code:${hashCounterKey(keys, `${email} ${origin}`)}`,
      )
      const ofNetworks = networkCounts(
        config,
        'wrongEmailedCodesPerHour',
        ip,
        (network) => `code-network:${hashCounterKey(keys, network)}`,
      )
      failOverLimit(await consumeCounts(db, log, [ofAddress, ...ofNetworks]))
      return async () => {
        await giveBack(db, ofNetworks)
        await resetLimit(db, ofAddress.key)
        await remember(db, knownNetwork, RETENTION.knownNetworks.period)
      }
    },
    async signUp(request) {
      const counts = networkCounts(
        config,
        'signUps',
        request.ip,
        (network) => `sign-up:${hashCounterKey(keys, network)}`,
      )
      failOverLimit(await consumeCounts(db, log, [...counts, ceilingCount(config, 'allSignUps')]))
    },
    async emailChange(userId) {
      const key = `email-change:${hashCounterKey(keys, userId)}`
      const { allowed, retryAfterS } = await consumeLimit(db, config, 'emailChangesPerDay', key)
      if (!allowed) failTooSoon(retryAfterS)
    },
    async mail(count, request, email) {
      const addressKey = `${count}-mail:${hashCounterKey(keys, email)}`
      const networkKey = `${count}-mail:${hashCounterKey(keys, `${email} ${clientNetwork(request.ip)}`)}`
      const { allowed, retryAfterS } = await consumeCounts(db, log, [
        limitCount(config, 'accountMails', networkKey),
        limitCount(config, 'accountMailsPerAddress', addressKey),
        ceilingCount(config, 'allAccountMails'),
      ])
      if (!allowed) failTooSoon(retryAfterS)
    },
  }
}

const failTooSoon = (retryAfterS: number): never =>
  fail('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${retryAfterS} seconds.`,
    retryAfterS,
  })
