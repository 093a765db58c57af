import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import {
  isPasswordTooLong,
  normalizePassword,
  PASSWORD_MAX_BYTES,
  passwordWeaknesses,
  type WeakPasswordReason,
} from '#contract/passwords.ts'
import { m } from '#texts/messages.js'
import type { PasswordHashing } from '../context.ts'
import { generateSecret } from '../encryption/secrets.ts'
import { createFairQueue } from '../limits/fair-queue.ts'
import { fail, failValidation } from './errors.ts'

/** argon2id with OWASP's parameters: 19 MiB, two passes, one lane; about 10 ms of one core. */
export const HASH_PARAMETERS: PasswordHashing = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * How many passwords a process hashes at a time. Slow hashes are computed on the four threads of Node's pool, which also read files and
 * look names up. With the codes of notes these leave one of the threads to them, and a processor to those who are signed in (decision
 * overload-protection).
 */
const HASH_SLOTS = Math.max(1, Math.min(2, availableParallelism() - 1))
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
   * Returns whether the normal form of the password matches. Without a stored hash it does the same work and returns false.
   *
   * @param isReserved takes one of the slots that are reserved for known networks
   * @throws Refusal `busy` when too many are queued
   */
  verify(stored: string | null | undefined, password: string, isReserved?: boolean): Promise<boolean>
  /** Returns whether a stored hash was made with other parameters than today's. */
  isOutdated(stored: string): boolean
}

/** Creates a hasher that computes `slots` hashes at a time. */
export function createPasswordHasher({
  slots = HASH_SLOTS,
  maxQueued = MAX_QUEUED_HASHES,
  parameters = HASH_PARAMETERS,
} = {}): PasswordHasher {
  const { memoryCost, timeCost, parallelism } = parameters
  const currentPrefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
  const withSlot = createFairQueue(slots, { maxWaiting: maxQueued, maxReserved: RESERVED_HASHES, retryAfterS: 2 })
  let dummyHash: Promise<string> | undefined
  return {
    hash: (password) => withSlot(null, () => hash(normalizePassword(password), parameters)),
    async verify(stored, password, isReserved = false) {
      const compute = async () => {
        // the first caller waits for it with either, so that its duration does not reveal which one it was
        dummyHash ??= hash(generateSecret(), parameters)
        const hashOfNobody = await dummyHash
        return verify(stored ?? hashOfNobody, normalizePassword(password))
      }
      const isMatch = await withSlot(null, compute, isReserved)
      return isMatch && typeof stored === 'string'
    },
    isOutdated: (stored) => !stored.startsWith(currentPrefix),
  }
}

/** Returns why a password is too weak (requirements §5); empty when it is not. */
export function findWeaknesses(password: string): WeakPasswordReason[] {
  const reasons: WeakPasswordReason[] = passwordWeaknesses(password)
  if (isCommonPassword(password)) reasons.push('pwned')
  return reasons
}

/**
 * Refuses a new password that is too long or too weak.
 *
 * @throws AuthError `validation_failed`, or `weak_password` with all reasons
 */
export function checkNewPassword(password: string): void {
  if (isPasswordTooLong(password)) failValidation(`Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`)
  const reasons = findWeaknesses(password)
  if (reasons.length > 0) fail('weak_password', { message: m.auth_password_rule({}, { locale: 'en' }), reasons })
}

// --- common passwords

/**
 * Words that people build passwords from when a digit and a symbol are required, here: of both languages, of this country and
 * of this product. They complete the list of `loadCommonPasswords`, which covers other countries better.
 */
const LOCAL_WORDS =
  `password passwort passwd motdepasse secret admin administrator administrateur root login user test testing guest
  welcome bienvenue bonjour hello letmein changeme default temp temporary qwerty qwertz azerty qwertyuiop asdf asdfgh
  asdfghjkl zxcvbn zxcvbnm qazwsx qweasd abc abcd abcde abcdef abcdefg abcdefgh iloveyou jetaime sunshine soleil princess
  princesse dragon monkey football soccer hockey baseball basketball superman batman starwars pokemon ninja master mustang
  shadow freedom whatever trustno computer internet google apple samsung microsoft windows summer winter spring autumn ete
  hiver printemps automne january february march april may june july august september october november december janvier
  fevrier mars avril mai juin juillet aout septembre octobre novembre decembre monday tuesday wednesday thursday friday
  saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche canada quebec ontario toronto montreal vancouver
  calgary ottawa maple leafs canadiens oilers platenote plate plaque license licence vehicle honda toyota ford michael
  jennifer jessica ashley nicole daniel charlie thomas hunter jordan andrew matthew joshua`.split(/\s+/)

/** As many as ASVS 6.2.4 asks for: a word among them stays a common password whatever digits and symbols surround it. */
const TOP_WORDS = 3_000

type CommonPasswords = { all: ReadonlySet<string>; words: ReadonlySet<string> }

/** Loads the passwords that leaked most often, in lower case and with the commonest first. */
function loadCommonPasswords(): CommonPasswords {
  const file = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const all = JSON.parse(readFileSync(file, 'utf8')) as string[]
  const words = all.slice(0, TOP_WORDS).filter((password) => /^[a-z]+$/.test(password))
  return { all: new Set(all), words: new Set([...words, ...LOCAL_WORDS]) }
}

let loaded: CommonPasswords | undefined

const SUBSTITUTIONS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
const undoSubstitutions = (text: string) => text.replace(/[@431!0$57]/g, (c) => SUBSTITUTIONS[c] ?? c)

/** Types what the same keys give without Shift: `!QAZ2wsx` walks over the keyboard as `1qaz2wsx` does. */
const undoShift = (text: string) => text.replace(/[!@#$%^&*()]/g, (c) => String(('!@#$%^&*()'.indexOf(c) + 1) % 10))

const trimSymbols = (text: string) => text.replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
const trimNonLetters = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, '')

/** Returns whether a text is one of the list, or one of the list written twice. */
const isListed = (list: ReadonlySet<string>, text: string): boolean => {
  const half = text.slice(0, text.length / 2)
  return list.has(text) || (text === half + half && list.has(half))
}

/**
 * Returns whether attackers try a password first: it leaked often, whatever the case of its letters and the symbols around it
 * (`Aa123456!`, `!QAZ2wsx`), or it is a common word, once or twice, surrounded by digits and symbols. The usual substitutions
 * are undone: `P@ssw0rd1!` and `Summer2025!` are common, a sentence that contains such a word is not.
 */
export function isCommonPassword(password: string): boolean {
  loaded ??= loadCommonPasswords()
  const { all, words } = loaded
  const normalized = password.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if ([normalized, trimSymbols(normalized), undoShift(normalized)].some((text) => isListed(all, text))) return true
  // trimmed before and after undoing: what is an ending in one (`hello1!`) is a letter in another (`@dm1n`)
  return [
    trimNonLetters(normalized),
    undoSubstitutions(trimNonLetters(normalized)),
    trimNonLetters(undoSubstitutions(normalized)),
    undoSubstitutions(normalized.replace(/[^a-z@$]+$/, '')),
  ].some((word) => isListed(words, word))
}
