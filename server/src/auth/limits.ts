import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { countAgainst, forgetCount, networkOf, scaled } from '../http/rate-limit.ts'
import { LIMITS } from '../limits.ts'
import { fail } from './errors.ts'
import { type AuthKeys, counterName } from './tokens.ts'

/**
 * Timers of mails. /signup, /resend and /otp share one, whatever the account's state: two would tell from outside which
 * mail an address gets, and so whether it has an account.
 */
export type MailTimer = 'confirm' | 'recover'

export type AuthLimits = {
  /** Before a password is checked. Returns what forgets the failures, to be called when the password was right. */
  signIn(request: FastifyRequest, email: string): Promise<() => Promise<void>>
  /** Before a signed-in person's current password is checked; the same way. */
  currentPassword(userId: string): Promise<() => Promise<void>>
  signUp(request: FastifyRequest): Promise<void>
  /** Before a mail is queued, for unknown addresses too. */
  mail(timer: MailTimer, email: string): Promise<void>
}

/** The limits of design §6 on accounts. Each fails with a 429 of the protocol and Retry-After. */
export function authLimits(db: Db, config: Config, keys: AuthKeys): AuthLimits {
  const failures = async (key: string) => {
    const { most, windowS } = LIMITS.failedSignIns
    const counted = await countAgainst(db, key, scaled(most, config), windowS)
    if (!counted.allowed) fail('over_request_rate_limit', { retryAfterS: counted.retryAfterS })
    return () => forgetCount(db, key)
  }
  return {
    signIn: (request, email) => failures(`sign-in:${counterName(keys, `${email} ${networkOf(request.ip)}`)}`),
    currentPassword: (userId) => failures(`current-password:${counterName(keys, userId)}`),
    async signUp(request) {
      const { most, windowS } = LIMITS.signUps
      const key = `sign-up:${counterName(keys, networkOf(request.ip))}`
      const counted = await countAgainst(db, key, scaled(most, config), windowS)
      if (!counted.allowed) fail('over_request_rate_limit', { retryAfterS: counted.retryAfterS })
    },
    async mail(timer, email) {
      const key = `${timer}-mail:${counterName(keys, email)}`
      if (config.AUTH_MAIL_INTERVAL_S > 0) {
        const soon = await countAgainst(db, `${key}:interval`, 1, config.AUTH_MAIL_INTERVAL_S)
        if (!soon.allowed) tooSoon(soon.retryAfterS)
      }
      const { most, windowS } = LIMITS.accountMails
      const hourly = await countAgainst(db, key, scaled(most, config), windowS)
      if (!hourly.allowed) tooSoon(hourly.retryAfterS)
    },
  }
}

const tooSoon = (retryAfterS: number): never =>
  fail('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${retryAfterS} seconds.`,
    retryAfterS,
  })
