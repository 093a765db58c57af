import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_MAX_BYTES, PASSWORD_TEXT, passwordWeaknesses, type WeakPasswordReason } from '#contract/auth.ts'
import { semaphore } from '../http/semaphore.ts'
import { isCommonPassword } from './common-passwords.ts'
import { fail, invalid } from './errors.ts'
import { newSecret } from './tokens.ts'

/** argon2id with OWASP's parameters: 19 MiB, two passes, one lane; about 10 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`

const WAITING_MAX = 64

/** Hashes and checks passwords, a few at a time: hashing must not take every core or thread from the rest. */
export type Passwords = {
  /** @throws Refusal `busy` when too many wait */
  hash(password: string): Promise<string>
  /** Whether it is the password; with no stored hash the same work is done for nothing. */
  matches(stored: string | null | undefined, password: string): Promise<boolean>
}

/** Whether a stored hash was made with other parameters than today's. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(CURRENT)

export function makePasswords(slots = Math.max(1, availableParallelism() - 1), waitingMax = WAITING_MAX): Passwords {
  const inTurn = semaphore(slots, waitingMax)
  let nobodys: Promise<string> | undefined
  return {
    hash: (password) => inTurn(() => hash(password, COST)),
    async matches(stored, password) {
      nobodys ??= hash(newSecret(), COST)
      const against = stored ?? (await nobodys)
      return (await inTurn(() => verify(against, password))) && typeof stored === 'string'
    },
  }
}

/**
 * Why a password is too weak (spec §5); empty when it is good.
 *
 * @param refuseCommon also those everybody tries first (design §7)
 */
export function weaknessesOf(password: string, refuseCommon: boolean): WeakPasswordReason[] {
  const reasons: WeakPasswordReason[] = passwordWeaknesses(password)
  if (refuseCommon && isCommonPassword(password)) reasons.push('pwned')
  return reasons
}

/**
 * Refuses a new password that is too long or too weak.
 *
 * @param refuseCommon see weaknessesOf
 * @throws AuthError `validation_failed`, or `weak_password` with all reasons
 */
export function checkNewPassword(password: string, refuseCommon: boolean): void {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    invalid(`Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`)
  }
  const reasons = weaknessesOf(password, refuseCommon)
  if (reasons.length > 0) fail('weak_password', { message: PASSWORD_TEXT, reasons })
}
