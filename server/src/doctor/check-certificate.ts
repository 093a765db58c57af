import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../config.ts'
import { errorCode } from '../log/safe-error.ts'
import { DAY_MS } from '../time.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Whoever renews certificates by a program does so before: it has failed by then, and a person has time to do it. */
const WARN_DAYS = 14

/** Looks at the certificate that people's browsers are shown at PUBLIC_URL. */
export async function checkCertificate({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): Promise<Finding> {
  const { protocol, hostname, port, host } = new URL(PUBLIC_URL)
  if (protocol !== 'https:') return ok('none: PUBLIC_URL is not https://')
  const servername = hostname.replace(/^\[|\]$/g, '') // of an IPv6 address
  const socket = connect({
    host: servername,
    port: Number(port || 443),
    ...(isIP(servername) === 0 && { servername }), // TLS knows no names that are addresses
    rejectUnauthorized: false, // to say what is wrong with it
  })
  try {
    await once(socket, 'secureConnect')
    const { valid_to } = socket.getPeerCertificate()
    if (!socket.authorized) return fail(`${host} ${explain(String(socket.authorizationError), valid_to)}`)
    return judgeExpiry(host, Date.parse(valid_to) - Date.now())
  } catch (error) {
    return warn(
      `${host} cannot be reached from here (${errorCode(error)}): correct PUBLIC_URL, its DNS, the proxy or the firewall, unless only this machine cannot reach it`,
    )
  } finally {
    socket.destroy()
  }
}

function explain(reason: string, validTo: string): string {
  if (reason === 'CERT_HAS_EXPIRED') return `shows a certificate that ended on ${validTo}: renew it now`
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'shows a certificate of another name: correct the proxy'
  return `shows a certificate that browsers do not trust (${reason}): let the proxy send it with all of its chain, or get one from a public authority`
}

/** Returns the finding for a certificate of a host that is valid for so many milliseconds more. */
export function judgeExpiry(host: string, leftMs: number): Finding {
  const days = Math.floor(leftMs / DAY_MS)
  const text = `the certificate of ${host} is valid for ${days} days more`
  return days < WARN_DAYS ? warn(`${text}: find out why it was not renewed`) : ok(text)
}
