import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { receiveInboundMail } from '#contract/documents.ts'
import { hasServiceKey } from '../auth/authenticate.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { findAddressedVehicles } from '../disputes/reply-address.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { lockVehicle } from '../vehicles/queries.ts'
import { markArrived } from './documents.ts'
import { findSideState } from './queries.ts'

/** The header fields of a mail, in their order; names in lower case, values unfolded. */
type MailHeaders = { name: string; value: string }[]

/** Where the header of a mail ends (RFC 5322, 2.1). */
const END_OF_HEADERS = /\r?\n\r?\n/

/** Reads the header fields of a mail (RFC 5322, 2.2). What is no field is left out. */
function parseHeaders(text: string): MailHeaders {
  const unfolded = text.replace(/\r?\n(?=[ \t])/g, '')
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? []
    return name === undefined ? [] : [{ name: name.toLowerCase(), value: value!.trim() }]
  })
}

const valuesOf = (headers: MailHeaders, name: string) =>
  headers.filter((field) => field.name === name).map(({ value }) => value)

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

/**
 * Returns whether software wrote a mail by itself: an absence note, a bounce, a receipt (RFC 3834, RFC 3464, RFC 8098).
 * Nobody sends documents with one.
 */
function isAutomatic(headers: MailHeaders): boolean {
  const has = (name: string, pattern: RegExp) => valuesOf(headers, name).some((value) => pattern.test(value))
  return (
    has('auto-submitted', /^(?!no\b)/i) ||
    has('content-type', /^multipart\/report\b/i) ||
    has('return-path', /^<\s*>/) ||
    has('precedence', /^(?:bulk|junk|auto_reply)\b/i) ||
    has('from', /(?:^|<|\s)(?:mailer-daemon|postmaster)@/i) ||
    ['x-autoreply', 'x-autorespond', 'x-failed-recipients'].some((name) => has(name, /./))
  )
}

/**
 * Takes note of a mail to the address of a dispute's side: its documents have arrived (decision plate-disputes). Of the mail itself
 * nothing is kept but a keyed hash of its Message-ID. One that software wrote by itself, one that names no side, or one whose
 * dispute has ended changes nothing.
 *
 * @param header the header of the mail
 */
async function receiveMail(
  { db, config, keyring }: Pick<AppContext, 'db' | 'config' | 'keyring'>,
  header: string,
): Promise<void> {
  const headers = parseHeaders(header)
  if (isAutomatic(headers)) return
  const mailHash = keyedHash(keyring, 'mail about documents', valuesOf(headers, 'message-id')[0] || header)
  const recipients = headers.filter(({ name }) => RECIPIENT_FIELDS.has(name)).map(({ value }) => value)
  for (const vehicleId of findAddressedVehicles(config, keyring, recipients)) {
    await inTransaction(db, async (tx) => {
      const vehicle = await lockVehicle(tx, vehicleId)
      if (vehicle && (await findSideState(tx, vehicleId))) {
        await markArrived(tx, keyring, vehicleId, { way: 'mail', mailHash })
      }
    })
  }
}

/** More than mail servers let through. Only the header is read; the rest of a mail passes by. */
const MAIL_MAX_BYTES = 50_000_000
/** Servers add a few hundred bytes each on the way. */
const HEADER_MAX_BYTES = 256 * 1024

/**
 * Registers the hook that a mail server calls with every mail to `INBOUND_ADDRESS`. Without that setting it is not there. A
 * known and an unknown recipient are answered alike.
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
      await receiveMail(context, await readHeader(body as IncomingMessage))
      return reply.code(202).header('cache-control', 'no-store').send()
    })
  })
}

/** Reads the header of a mail, and lets the rest pass. Refuses with `too_large`. */
async function readHeader(mail: AsyncIterable<Buffer>): Promise<string> {
  let [header, bytes, isComplete] = ['', 0, false]
  for await (const chunk of mail) {
    bytes += chunk.length
    if (bytes > MAIL_MAX_BYTES) refuse('too_large')
    if (isComplete) continue
    header += chunk.toString('latin1')
    const end = header.search(END_OF_HEADERS)
    isComplete = end >= 0 || header.length > HEADER_MAX_BYTES
    if (isComplete) header = header.slice(0, end >= 0 ? end : HEADER_MAX_BYTES)
  }
  return header
}
