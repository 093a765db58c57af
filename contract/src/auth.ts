import * as z from 'zod/mini'

export const PASSWORD_MIN = 8
/** Longest password, in bytes of UTF-8: longer ones are refused, never cut. */
export const PASSWORD_MAX_BYTES = 72

export const PASSWORD_RULE_TEXT =
  'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'

/** Longest full name, in UTF-16 units. */
export const FULL_NAME_MAX = 100

export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

/** The four kinds of characters a password needs (requirements §5); a symbol is anything visible that is no letter or digit. */
export const passwordCharacterClasses = (password: string) => ({
  lowercase: /\p{Ll}/u.test(password),
  uppercase: /\p{Lu}/u.test(password),
  digit: /\p{Nd}/u.test(password),
  symbol: /[^\p{L}\p{N}\s]/u.test(password),
})

/** Why a password is too weak; empty when it is good. All reasons are named, in the protocol's order. */
export function passwordWeaknesses(password: string): WeakPasswordReason[] {
  const reasons: WeakPasswordReason[] = []
  if ([...password].length < PASSWORD_MIN) reasons.push('length')
  if (!Object.values(passwordCharacterClasses(password)).every(Boolean)) reasons.push('characters')
  return reasons
}

/** An address as it is stored: ASCII letters lower-cased only, so that no other letter turns into another person's. */
export const normalizeEmail = (typed: string): string => typed.trim().replace(/[A-Z]/g, (c) => c.toLowerCase())

export const EMAIL_MAX_BYTES = 255

/** One mailbox: no lists, no display name, no control or non-ASCII characters, a domain with a dot. */
export const isEmail = (address: string): boolean =>
  address.length <= EMAIL_MAX_BYTES &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(
    address,
  ) &&
  !/^\.|\.\.|\.@/.test(address)

/** An address as people type it, parsed to the stored form. */
export const EmailInput = z.pipe(
  z.pipe(z.string(), z.transform(normalizeEmail)),
  z.string().check(z.refine(isEmail, 'Please enter a valid email address.')),
)
