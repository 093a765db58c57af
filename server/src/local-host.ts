/**
 * Returns whether a host, as it stands in a URL, is this machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
 * An IPv6 address may have its brackets or not.
 */
export const isLocalHost = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
