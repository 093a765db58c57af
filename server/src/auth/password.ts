import { hash, verify } from '@node-rs/argon2'
import {
  isPasswordTooLong,
  normalizePassword,
  PASSWORD_MAX_BYTES,
  PASSWORD_RULE_TEXT,
  passwordWeaknesses,
  type WeakPasswordReason,
} from '#contract/passwords.ts'
import type { Config } from '../config.ts'
import { createSemaphore, PASSWORD_HASH_SLOTS } from '../limits/semaphore.ts'
import { isCommonPassword } from './common-passwords.ts'
import { fail, failValidation } from './errors.ts'
import { generateSecret } from './tokens.ts'

/** argon2id with OWASP's parameters: 19 MiB, two passes, one lane; about 10 ms of one core. */
const HASH_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The least argon2 takes: tests sign hundreds of people up, whose passwords are no secret (decision sessions-and-passwords). */
const TEST_HASH_PARAMETERS = { memoryCost: 8, timeCost: 1, parallelism: 1 }

const MAX_QUEUED_HASHES = 64
/** Slots for people whose network is known to their account: a flood from elsewhere does not keep them out. */
const RESERVED_HASHES = 16

/** Hashes and verifies passwords, a few at a time: hashing must not occupy every core and thread. */
export type PasswordHasher = {
  /**
   * Hashes the normal form of a password (`normalizePassword`).
   *
   * @throws Refusal `busy` when too many are queued
   */
  hash(password: string): Promise<string>
  /**
   * Returns whether the password matches, in its normal form or, as until 0.2.0, as it was typed. Without a stored hash it does
   * the same work and returns false.
   *
   * @param isReserved takes one of the slots that are reserved for known networks
   * @throws Refusal `busy` when too many are queued
   */
  verify(stored: string | null | undefined, password: string, isReserved?: boolean): Promise<boolean>
  /** Returns whether a stored hash, which matches the password, was made with other parameters than today's, or not of its normal form. */
  isOutdated(stored: string, password: string): Promise<boolean>
}

/** Creates a hasher that computes `slots` hashes at a time. `isForTests` makes them cheap, and worthless. */
export function createPasswordHasher({
  slots = PASSWORD_HASH_SLOTS,
  maxQueued = MAX_QUEUED_HASHES,
  isForTests = false,
} = {}): PasswordHasher {
  const parameters = isForTests ? TEST_HASH_PARAMETERS : HASH_PARAMETERS
  const { memoryCost, timeCost, parallelism } = parameters
  const currentPrefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
  const withSlot = createSemaphore(slots, maxQueued, RESERVED_HASHES)
  let dummyHash: Promise<string> | undefined
  return {
    hash: (password) => withSlot(() => hash(normalizePassword(password), parameters)),
    async verify(stored, password, isReserved = false) {
      const isMatch = await withSlot(async () => {
        // the first caller waits for it with either, so that its duration does not reveal which one it was
        dummyHash ??= hash(generateSecret(), parameters)
        const hashOfNobody = await dummyHash
        const normal = normalizePassword(password)
        if (await verify(stored ?? hashOfNobody, normal)) return true
        return password !== normal && verify(stored ?? hashOfNobody, password)
      }, isReserved)
      return isMatch && typeof stored === 'string'
    },
    async isOutdated(stored, password) {
      const normal = normalizePassword(password)
      return (
        !stored.startsWith(currentPrefix) || (password !== normal && !(await withSlot(() => verify(stored, normal))))
      )
    },
  }
}

/**
 * Returns why a password is too weak (requirements §5); empty when it is not. Tests may use common ones (decision sessions-and-passwords).
 */
export function findWeaknesses(password: string, { NODE_ENV }: Pick<Config, 'NODE_ENV'>): WeakPasswordReason[] {
  const reasons: WeakPasswordReason[] = passwordWeaknesses(password)
  if (NODE_ENV !== 'test' && isCommonPassword(password)) reasons.push('pwned')
  return reasons
}

/**
 * Refuses a new password that is too long or too weak.
 *
 * @throws AuthError `validation_failed`, or `weak_password` with all reasons
 */
export function checkNewPassword(password: string, config: Pick<Config, 'NODE_ENV'>): void {
  if (isPasswordTooLong(password)) failValidation(`Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`)
  const reasons = findWeaknesses(password, config)
  if (reasons.length > 0) fail('weak_password', { message: PASSWORD_RULE_TEXT, reasons })
}
