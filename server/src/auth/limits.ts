import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { consumeLimit } from '../limits/enforce-limit.ts'
import { clientNetwork, consume, resetLimit } from '../limits/rate-limiter.ts'
import { fail } from './errors.ts'
import { type AuthKeys, hashCounterKey } from './tokens.ts'

/**
 * What emails to an address are counted by. /signup, /resend and /otp share one timer, whatever the state of the
 * account: separate ones would reveal which email an address gets, and so whether it has an account.
 */
export type MailTimer = 'confirm' | 'recover'

export type AuthLimits = {
  /** Counts an attempt before a password is checked. Returns a function that resets the count, to call on success. */
  signIn(request: FastifyRequest, email: string): Promise<() => Promise<void>>
  /** The same before a signed-in person's current password is checked. */
  currentPassword(userId: string): Promise<() => Promise<void>>
  signUp(request: FastifyRequest): Promise<void>
  /** Counts an email before it is queued, for unknown addresses too. */
  mail(timer: MailTimer, email: string): Promise<void>
}

/** Creates the limits of decision 0071 on accounts. Each fails with 429 and Retry-After. */
export function createAuthLimits(db: Db, config: Config, keys: AuthKeys): AuthLimits {
  const countPasswordAttempt = async (key: string) => {
    const { allowed, retryAfterS } = await consumeLimit(db, config, 'failedSignIns', key)
    if (!allowed) fail('over_request_rate_limit', { retryAfterS })
    return () => resetLimit(db, key)
  }
  return {
    signIn: (request, email) =>
      countPasswordAttempt(`sign-in:${hashCounterKey(keys, `${email} ${clientNetwork(request.ip)}`)}`),
    currentPassword: (userId) => countPasswordAttempt(`current-password:${hashCounterKey(keys, userId)}`),
    async signUp(request) {
      const key = `sign-up:${hashCounterKey(keys, clientNetwork(request.ip))}`
      const { allowed, retryAfterS } = await consumeLimit(db, config, 'signUps', key)
      if (!allowed) fail('over_request_rate_limit', { retryAfterS })
    },
    async mail(timer, email) {
      const key = `${timer}-mail:${hashCounterKey(keys, email)}`
      if (config.AUTH_MAIL_INTERVAL_S > 0) {
        const perInterval = await consume(db, `${key}:interval`, 1, config.AUTH_MAIL_INTERVAL_S)
        if (!perInterval.allowed) failTooSoon(perInterval.retryAfterS)
      }
      const perHour = await consumeLimit(db, config, 'accountMails', key)
      if (!perHour.allowed) failTooSoon(perHour.retryAfterS)
    },
  }
}

const failTooSoon = (retryAfterS: number): never =>
  fail('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${retryAfterS} seconds.`,
    retryAfterS,
  })
