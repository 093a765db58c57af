import { ECDH } from 'node:crypto'
import type { BrowserPushSubscription } from '#contract/push.ts'

/**
 * Returns the address of a device, or null unless it is at a known push service. Browsers supply these addresses and
 * the server calls them; any other one could point into the server's own network.
 *
 * @param hosts the setting PUSH_HOSTS: host names with or without a port, `*.` for any host below a name; outside
 *   production also `http://` and a port on this machine
 */
export function parsePushServiceUrl(endpoint: string, hosts: readonly string[]): URL | null {
  const url = URL.parse(endpoint)
  if (url?.username !== '' || url.password !== '') return null
  const known = hosts.some((host) => {
    if (host.startsWith('http:')) return url.origin === host
    if (url.protocol !== 'https:') return false
    return host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host
  })
  return known ? url : null
}

/** Returns whether a message can be encrypted with these keys (RFC 8291 §3.1): a point on the curve and 16 bytes. */
export function hasValidKeys({ p256dh, auth }: BrowserPushSubscription['keys']): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  try {
    // throws unless it is a point on the curve; a compressed one has 33 bytes
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url')
    return Buffer.from(p256dh, 'base64url').length === 65
  } catch {
    return false
  }
}
