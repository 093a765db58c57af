// chunk: address (every page that asks for an address)

const EMAIL_MAX_BYTES = 255

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

/** Returns an address with the ASCII form of its domain; unchanged where it has none. */
export function asciiEmail(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return address.slice(0, address.length - domain.length) + (asciiDomain(domain) ?? domain)
}

/** Returns an address without what dictation, a suggestion or two spaces on a phone leave around it: white space, a full stop. */
export const trimEmail = (typed: string): string => typed.trim().replace(/\.$/, '').trimEnd()

/**
 * Returns an address as it is stored, compared and mailed. Of what is before the @ only ASCII letters are lower-cased, so that no
 * other letter makes it someone else's address.
 */
export const normalizeEmail = (typed: string): string =>
  asciiEmail(trimEmail(typed).replace(/[A-Z]/g, (c) => c.toLowerCase()))

/** Returns whether a text is the address of one mailbox in its ASCII form: no list, no display name, a domain with a dot. */
export const isEmail = (address: string): boolean =>
  address.length <= EMAIL_MAX_BYTES &&
  /^[a-z\d.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/i.test(
    address,
  ) &&
  !/^\.|\.\.|\.@/.test(address) &&
  asciiDomain(address.replace(/.*@/, '')) !== null

/** Returns whether an address has letters before the @ that few mail servers take (RFC 6531). */
export const isUnwritable = (address: string): boolean =>
  address.length <= EMAIL_MAX_BYTES && /^[^\s@]*[^\0-\x7f][^\s@]*@[^\s@]+$/.test(address)
