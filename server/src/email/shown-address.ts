import { domainToUnicode } from 'node:url'

/**
 * Returns an address as its owner typed it: an international domain in its own letters. For its owner alone: to anybody else,
 * two addresses can look the same.
 */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return address.slice(0, at) + (domain.includes('xn--') ? domainToUnicode(domain) || domain : domain)
}

/** Returns an address for somebody who has to know which one it is: followed by its ASCII form where that differs. */
export function namedAddress(address: string): string {
  const shown = shownAddress(address)
  return shown === address ? address : `${shown} (${address})`
}
