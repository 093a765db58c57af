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

/**
 * Returns an address as it is shown to its owner: as typed, without white space around it. Only ASCII letters are lower-cased, so
 * that no other letter makes it someone else's address.
 */
export const tidyEmail = (typed: string): string => typed.trim().replace(/[A-Z]/g, (c) => c.toLowerCase())

/** A domain with letters beyond ASCII, or with their ASCII form. Bounded, because that form is computed in quadratic time. */
const INTERNATIONAL_DOMAIN = /^(?=.*(?:[^\0-\x7f]|xn--))[-.0-9a-z\u0080-\u{10ffff}]{1,255}$/iu

/** Returns the ASCII form of a domain (IDNA, UTS #46), by which mail servers know it; null for one that has none. */
function asciiDomain(domain: string): string | null {
  if (!INTERNATIONAL_DOMAIN.test(domain)) return domain
  try {
    // an ideographic full stop, which is read as a dot: where all is ASCII, it would not be looked at whether `xn--` has a meaning
    return new URL(`http://${domain.replace('.', '\u3002')}`).hostname
  } catch {
    return null
  }
}

/** Returns the index of the domain of an address; 0 where there is no @. */
const domainIndex = (address: string): number => address.lastIndexOf('@') + 1

/** Returns an address with the ASCII form of its domain; unchanged where it has none. */
export function asciiEmail(address: string): string {
  const domain = address.slice(domainIndex(address))
  return address.slice(0, domainIndex(address)) + (asciiDomain(domain) ?? domain)
}

/** Returns an address as it is stored, compared and mailed. */
export const normalizeEmail = (typed: string): string => asciiEmail(tidyEmail(typed))

/** How long a second factor counts as fresh, in seconds: required of admins for what cannot be undone. */
export const FRESH_FACTOR_S = 10 * 60

export const EMAIL_MAX_BYTES = 255

/** Returns whether a text is the address of one mailbox in its ASCII form: no list, no display name, a domain with a dot. */
export const isEmail = (address: string): boolean =>
  address.length <= EMAIL_MAX_BYTES &&
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,59})$/.test(
    address,
  ) &&
  !/^\.|\.\.|\.@/.test(address) &&
  asciiDomain(address.slice(domainIndex(address))) !== null

/** Returns whether letters before the @ are all that is wrong with an address: few servers take mail to them (RFC 6531). */
export const isUnwritable = (address: string): boolean =>
  !isEmail(address) &&
  isEmail(address.slice(0, domainIndex(address)).replace(/[^\0-\x7f]/g, 'a') + address.slice(domainIndex(address)))

export const UNWRITABLE_EMAIL_TEXT =
  'We cannot write to an address with letters such as é before the @. Please use another one.'

/** Returns the check of an address in its ASCII form, with these errors. */
export const checkEmail = (invalid: string, unwritable = UNWRITABLE_EMAIL_TEXT) =>
  [z.refine<string>((address) => !isUnwritable(address), unwritable), z.refine<string>(isEmail, invalid)] as const

/** An address as users type it, parsed to its stored form. */
export const EmailInput = z.pipe(
  z.pipe(z.string(), z.transform(normalizeEmail)),
  z.string().check(...checkEmail('Please enter a valid email address.')),
)
