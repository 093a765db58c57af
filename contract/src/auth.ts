// chunk: base (every page with an address or a password, for visitors and admins)

import * as z from 'zod/mini'

export const PASSWORD_MIN = 8
/** Maximum length of a password, in bytes of UTF-8: longer ones are rejected, never truncated. */
export const PASSWORD_MAX_BYTES = 512

export const PASSWORD_RULE_TEXT =
  'Password must be at least 8 characters and include uppercase, lowercase, number, and symbol.'

/** Maximum length of a full name, in UTF-16 code units. */
export const FULL_NAME_MAX = 100

export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

/** Returns which kinds of characters a password has; it needs all four (requirements §5). A symbol is anything visible but letters and digits. */
export const passwordCharacterClasses = (password: string) => ({
  lowercase: /\p{Ll}/u.test(password),
  uppercase: /\p{Lu}/u.test(password),
  digit: /\p{Nd}/u.test(password),
  symbol: /[^\p{L}\p{N}\s]/u.test(password),
})

/** Returns every reason why a password is too weak, in the protocol's order; none when it is strong enough. */
export function passwordWeaknesses(password: string): WeakPasswordReason[] {
  const reasons: WeakPasswordReason[] = []
  if ([...password].length < PASSWORD_MIN) reasons.push('length')
  if (!Object.values(passwordCharacterClasses(password)).every(Boolean)) reasons.push('characters')
  return reasons
}

/** Returns an address as it is stored. Only ASCII letters are lower-cased, so that no other letter makes it someone else's address. */
export const normalizeEmail = (typed: string): string => typed.trim().replace(/[A-Z]/g, (c) => c.toLowerCase())

/** How long a second factor counts as fresh, in seconds: required of admins for what cannot be undone. */
export const FRESH_FACTOR_S = 10 * 60

export const EMAIL_MAX_BYTES = 255

/** Returns whether a text is the address of one mailbox: no list, no display name, ASCII only, a domain with a dot. */
export const isEmail = (address: string): boolean =>
  address.length <= EMAIL_MAX_BYTES &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/.test(
    address,
  ) &&
  !/^\.|\.\.|\.@/.test(address)

/** An address as users type it, parsed to its stored form. */
export const EmailInput = z.pipe(
  z.pipe(z.string(), z.transform(normalizeEmail)),
  z.string().check(z.refine(isEmail, 'Please enter a valid email address.')),
)
