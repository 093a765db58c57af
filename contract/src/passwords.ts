// chunk: account (every page with a new password)

export const PASSWORD_MIN = 8
/** Maximum length of a password, in bytes of UTF-8: longer ones are rejected, never truncated. */
export const PASSWORD_MAX_BYTES = 512

export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

/** Returns the form in which passwords are judged and compared: NFC (NIST SP 800-63B-4 §3.1.1.2), however a device composes accents. */
export const normalizePassword = (typed: string): string => typed.normalize('NFC')

/** Returns which kinds of characters a password has; it needs all four (requirements §5). A symbol is anything visible but letters and digits. */
export function passwordCharacterClasses(typed: string) {
  const password = normalizePassword(typed)
  return {
    lowercase: /\p{Ll}/u.test(password),
    uppercase: /\p{Lu}/u.test(password),
    digit: /\p{Nd}/u.test(password),
    symbol: /[^\p{L}\p{N}\s]/u.test(password),
  }
}

/** Returns every reason why a password is too weak, in the protocol's order; none when it is strong enough. */
export function passwordWeaknesses(password: string): WeakPasswordReason[] {
  const reasons: WeakPasswordReason[] = []
  if ([...normalizePassword(password)].length < PASSWORD_MIN) reasons.push('length')
  if (!Object.values(passwordCharacterClasses(password)).every(Boolean)) reasons.push('characters')
  return reasons
}

/** Returns whether a password has more bytes than may be stored. */
export const isPasswordTooLong = (password: string): boolean =>
  new TextEncoder().encode(normalizePassword(password)).length > PASSWORD_MAX_BYTES
