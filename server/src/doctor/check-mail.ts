import type { Config } from '../config.ts'
import { parseSmtpUrl, tryConnection } from '../email/transport.ts'
import { SECOND_MS } from '../time.ts'
import { type Finding, fail, ok } from './finding.ts'

/** Shorter than a check may take, so that what is said names the server. */
const TIMEOUT_MS = 4 * SECOND_MS

/** Connects to the mail server and signs in. No email is sent. */
export async function checkMail({ SMTP_URL, production }: Config): Promise<Finding> {
  if (SMTP_URL === undefined) return ok('no SMTP_URL: emails are kept and shown at /dev/mailbox')
  const parsed = parseSmtpUrl(SMTP_URL, production)
  const server = new URL(SMTP_URL).host
  const reason = await tryConnection(parsed, TIMEOUT_MS)
  if (reason === null) return ok(`${server} takes our connection${new URL(SMTP_URL).username ? ' and password' : ''}`)
  return fail(`${server} ${explain(reason)}`)
}

function explain(reason: string): string {
  if (/^smtp_53[0-8]$/.test(reason) || reason === 'eauth')
    return `refuses the user or the password (${reason}): correct SMTP_URL`
  if (reason.startsWith('smtp_')) return `refuses us (${reason}): ask who runs it`
  if (reason === 'timeout' || reason === 'etimedout')
    return `does not answer (${reason}): correct host and port of SMTP_URL, or open the port in the firewall`
  if (reason === 'etls')
    return `does not encrypt as it must (${reason}): use smtps://, a server with a valid certificate, or see ?tls= in docs/operations.md`
  const certificate = reason === 'esocket' ? ', or renew its certificate, if that is what does not verify' : ''
  return `cannot be reached (${reason}): correct host, port and encryption (smtp:// or smtps://) of SMTP_URL${certificate}`
}
