import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Email } from 'postal-mime'
import { receiveInboundMail } from '#contract/documents.ts'
import { hasServiceKey } from '../auth/authenticate.ts'
import type { AppContext } from '../context.ts'
import { receiveDocuments } from '../documents/mailed-documents.ts'
import { findInboundTokens } from '../email/inbound-address.ts'
import { readBounce } from '../email/read-bounce.ts'
import { recordReturn } from '../email/returned-mails.ts'
import { refuse } from '../refusal.ts'

/** Where mail servers write whom a mail is for: those of the mail itself, and those of its envelope. */
const RECIPIENT_FIELDS = new Set([
  'to',
  'cc',
  'resent-to',
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
])

/** How many mails this process was handed, by what came of them. */
export const inboundMails = { documents: 0, returned: 0, ignored: 0 }

/** Finds out what a mail is and takes note of it, and of nothing else in it. */
async function receiveMail(context: AppContext, beginning: Buffer): Promise<keyof typeof inboundMails> {
  const mail = await parse(beginning)
  if (!mail) return 'ignored'
  const recipients = mail.headers.flatMap(({ key, value }) => (RECIPIENT_FIELDS.has(key) ? value : []))
  const [token, ...others] = findInboundTokens(context.config, context.keyring, recipients)
  if (!token) return 'ignored'
  const reason = readBounce(mail)
  if (reason === null) return (await receiveDocuments(context, mail, [token, ...others])) ? 'documents' : 'ignored'
  // an email comes back to one address
  return others.length === 0 && (await recordReturn(context.db, token, reason)) ? 'returned' : 'ignored'
}

/** A notification has its parts, and none in another. */
const LIMITS = { maxNestingDepth: 20, forceRfc822Attachments: true, attachmentEncoding: 'utf8' } as const

/** Parses the beginning of a mail; null when it is no mail that anybody sends: its parts are nested without end. */
async function parse(beginning: Buffer): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime') // few installations receive mails
  return PostalMime.parse(beginning, LIMITS).catch(() => null)
}

/** More than mail servers let through. Only the beginning is read; the rest of a mail passes by. */
const MAIL_MAX_BYTES = 50_000_000
/** Servers add a few hundred bytes each to the header on the way; a notification quotes our email behind its report. */
const BEGINNING_MAX_BYTES = 256 * 1024

/**
 * Registers the hook that a mail server calls with every mail to `INBOUND_ADDRESS`. Without that setting it is not there. Whatever
 * a mail is, the answer is the same.
 */
export async function inboundMailRoute(app: FastifyInstance, context: AppContext) {
  const { INBOUND_MAIL_SECRET } = context.config
  const authorize = async (request: FastifyRequest) => {
    if (INBOUND_MAIL_SECRET === undefined) refuse('not_found')
    if (!hasServiceKey(request, INBOUND_MAIL_SECRET)) refuse('forbidden')
  }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // the parser reads nothing: the handler reads as much as it needs
    scope.addContentTypeParser('message/rfc822', (_, payload, done) => done(null, payload))
    const config = { endpoint: receiveInboundMail }
    const options = { config, onRequest: authorize, bodyLimit: MAIL_MAX_BYTES }
    scope.post(receiveInboundMail.path, options, async ({ body }, reply) => {
      if (!body) refuse('unsupported_media_type')
      inboundMails[await receiveMail(context, await readBeginning(body as IncomingMessage))]++
      return reply.code(202).header('cache-control', 'no-store').send()
    })
  })
}

/** Reads the beginning of a mail, and lets the rest pass. Refuses with `too_large`. */
async function readBeginning(mail: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of mail) {
    if (bytes < BEGINNING_MAX_BYTES) chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAIL_MAX_BYTES) refuse('too_large')
  }
  return Buffer.concat(chunks).subarray(0, BEGINNING_MAX_BYTES)
}
