import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'

/**
 * Providers whose mailboxes ignore dots in front of the `@`, each with the domain its mailboxes are counted under: several
 * domains of one provider lead to the same mailbox.
 */
const DOTLESS_DOMAINS: Record<string, string> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
  'proton.me': 'proton.me',
  'protonmail.com': 'proton.me',
  'pm.me': 'proton.me',
}

/**
 * Reduces an address to its mailbox (decision rate-limits): lower case, without a plus-tag, and without dots where the provider
 * ignores them. For counting only: mail always goes to the address as it was given.
 */
export function canonicalAddress(address: string): string {
  const lower = address.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  if (at === -1) return lower
  const [local, domain] = [lower.slice(0, at), lower.slice(at + 1)]
  const plus = local.indexOf('+')
  // an address that begins with a plus has nothing in front of its tag
  const untagged = plus > 0 ? local.slice(0, plus) : local
  const dotless = Object.hasOwn(DOTLESS_DOMAINS, domain) ? DOTLESS_DOMAINS[domain] : undefined
  return dotless === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${dotless}`
}

/**
 * Hashes the mailbox behind an address under a key that is not in the database: what limits on people hold on to. An account
 * keeps the hash of the mailbox it was made with, whatever its address is later (decision email-change): who somebody is stands in the
 * account, and is never to be hashed from an address that may have changed.
 */
export const hashPerson = (keyring: Keyring, address: string): Buffer =>
  keyedHash(keyring, 'person', canonicalAddress(address))

/**
 * Returns the key of a count for a person: the same for every account of their mailbox, also after one is deleted or has
 * another address. Nothing shows that the counts of two purposes are of one person.
 *
 * @param personHash of the account (`Actor.personHash`)
 */
export const personLimitKey = (keyring: Keyring, purpose: string, personHash: Buffer): string =>
  `${purpose}:${keyedHash(keyring, `person ${purpose}`, personHash.toString('base64')).toString('base64url')}`

/**
 * Returns a secret that belongs to a person and a purpose, from `hashPerson`. The database hashes it together with the id of
 * something else, so that nothing stored there is the same in two places.
 */
export const getPersonSecret = (keyring: Keyring, purpose: string, personHash: Buffer): Buffer =>
  keyedHash(keyring, `secret ${purpose}`, personHash.toString('base64'))
