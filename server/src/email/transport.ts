import { createTransport } from 'nodemailer'
import { type Config, isLocalHost } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { SECOND_MS, TimeoutError, withTimeout } from '../time.ts'
import { captureMail } from './captured-mails.ts'

/** An email that is ready to be sent. */
type OutgoingMail = {
  /** Id of the outbox row; becomes the Message-ID, so that an email that arrives twice is recognized as one. */
  id: string
  /** Set for an email that is sent at once because a caller waits for it; it has no row in the outbox. */
  bypassOutbox?: true
  to: string
  /** Where it comes back to when it cannot be delivered; null: to the sender's address. */
  returnPath?: string | null
  subject: string
  html: string
  text: string
  headers?: Record<string, string> | undefined
}

/**
 * How a try ended. The reason goes into the database and the log; it never quotes the email, the address or the server.
 */
export type DeliveryResult =
  | { state: 'sent' }
  /** The address or the content was rejected for good: another try would get the same response. */
  | { state: 'refused'; rejected: 'address' | 'content'; reason: string }
  | { state: 'deferred'; reason: string }

export type Transport = {
  /** Tries once and returns within `timeoutMs`, whatever the server does. Never throws. */
  deliver(mail: OutgoingMail): Promise<DeliveryResult>
  close(): Promise<void>
}

const DELIVERY_TIMEOUT_MS = 20 * SECOND_MS
const MAX_SMTP_CONNECTIONS = 5

/** Matches plain `local@domain` (RFC 5321 §4.1.2 without quoted strings), which cannot end a header or a command. */
const ADDRESS_PATTERN = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Zl}\p{Zp}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Zl}\p{Zp}]{1,255}$/u

const BAD_ADDRESS: DeliveryResult = { state: 'refused', rejected: 'address', reason: 'bad_address' }

const toHeaderLine = (text: string) => text.replace(/\s*[\p{Cc}\p{Zl}\p{Zp}][\s\p{Cc}]*/gu, ' ').trim()

const buildHeaders = ({ id, headers = {} }: OutgoingMail, publicUrl: string): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [toHeaderLine(name), toHeaderLine(value)])),
  'Message-ID': `<${id}@${new URL(publicUrl).hostname}>`,
  // RFC 3834 §5: no out-of-office notes in return
  'Auto-Submitted': 'auto-generated',
  // the same for Exchange
  'X-Auto-Response-Suppress': 'All',
})

/**
 * Returns the address of the mail server, and whether the connection must be encrypted before any part of an email is
 * sent over it. It must be with `?tls=required`, and in production for every server that is not on this machine, unless
 * `?tls=optional` says that the network between is safe. Otherwise STARTTLS (RFC 3207) is used when it is offered.
 */
export function parseSmtpUrl(smtpUrl: string, production: boolean): { url: string; requireTLS: boolean } {
  const url = new URL(smtpUrl)
  const tlsMode = url.searchParams.get('tls')
  url.searchParams.delete('tls') // the library has an option of that name
  return {
    url: url.href,
    requireTLS: tlsMode === 'required' || (tlsMode === null && production && !isLocalHost(url.hostname)),
  }
}

type TransportSettings = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'production'>

/**
 * Opens SMTP to `SMTP_URL`. Without it, emails are captured for `/dev/mailbox`; the settings refuse that in production.
 */
export function openTransport(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, production }: TransportSettings,
  db: Db,
  { timeoutMs = DELIVERY_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Transport {
  if (SMTP_URL === undefined) {
    return {
      async deliver(mail) {
        if (!ADDRESS_PATTERN.test(mail.to)) return BAD_ADDRESS
        const { id, to, html, text } = mail
        const headers = { From: MAIL_FROM, ...buildHeaders(mail, PUBLIC_URL) }
        try {
          const outboxId = mail.bypassOutbox ? null : id
          await captureMail(db, { outboxId, to, subject: toHeaderLine(mail.subject), html, text, headers })
          return { state: 'sent' }
        } catch {
          return { state: 'deferred', reason: 'database' }
        }
      },
      close: async () => {},
    }
  }

  const smtp = createTransport({
    ...parseSmtpUrl(SMTP_URL, production),
    pool: true,
    maxConnections: MAX_SMTP_CONNECTIONS,
    // a connection that the server closed between two emails is replaced once; then the outbox tries again
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(mail) {
      if (!ADDRESS_PATTERN.test(mail.to)) return BAD_ADDRESS
      // limits the whole delivery: a server that sends a few bytes now and then never triggers a socket timeout
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        await smtp.sendMail({
          from: MAIL_FROM,
          to: { name: '', address: mail.to },
          ...(mail.returnPath && { envelope: { from: mail.returnPath, to: mail.to } }),
          subject: toHeaderLine(mail.subject),
          html: mail.html,
          text: mail.text,
          headers: buildHeaders(mail, PUBLIC_URL),
          signal,
        })
        return { state: 'sent' }
      } catch (error) {
        return signal.aborted ? { state: 'deferred', reason: 'timeout' } : classifySmtpError(error)
      }
    },
    close: async () => smtp.close({ force: true }),
  }
}

/**
 * Connects to the mail server and signs in as a delivery does, and sends nothing.
 *
 * @returns null, or the short reason why that failed, as a delivery has it
 */
export async function tryConnection(
  { url, requireTLS }: ReturnType<typeof parseSmtpUrl>,
  timeoutMs: number,
): Promise<string | null> {
  const smtp = createTransport({
    url,
    requireTLS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await withTimeout(smtp.verify(), timeoutMs)
    return null
  } catch (error) {
    if (error instanceof TimeoutError) return 'timeout'
    // a server without STARTTLS answers our demand for it with some code, which would say less
    if ((error as { code?: unknown }).code === 'ETLS') return 'etls'
    const result = classifySmtpError(error)
    return result.state === 'sent' ? null : result.reason
  } finally {
    smtp.close()
  }
}

/**
 * Takes a 5xx about the recipient or the email as final (RFC 5321 §4.2.1), but not one about us or the server itself.
 */
function classifySmtpError(error: unknown): DeliveryResult {
  const { code, command, responseCode } = error as { code?: unknown; command?: unknown; responseCode?: unknown }
  if (typeof responseCode === 'number') {
    const aboutTheMail = command === 'RCPT TO' || command === 'DATA'
    // 503: the session was out of step; 530 and 535 to 538: our sign-in at the server (RFC 4954 §6)
    const aboutTheSession = responseCode === 503 || responseCode === 530 || (responseCode >= 534 && responseCode <= 538)
    const reason = `smtp_${responseCode}`
    return aboutTheMail && responseCode >= 500 && !aboutTheSession
      ? { state: 'refused', rejected: command === 'DATA' ? 'content' : 'address', reason }
      : { state: 'deferred', reason }
  }
  // the library's own timers are as long as ours, and either may fire first
  if (code === 'ETIMEDOUT') return { state: 'deferred', reason: 'timeout' }
  return {
    state: 'deferred',
    reason: typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code.toLowerCase() : 'connection',
  }
}
