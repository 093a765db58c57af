import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { receiveInboundMail } from '#contract/documents.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { findAddressedVehicles } from '../disputes/reply-address.ts'
import { keyedHash } from '../encryption/envelope-encryption.ts'
import { refuse } from '../refusal.ts'
import { lockVehicle } from '../vehicles/queries.ts'
import { endOfHeaders, isAutomatic, messageIdOf, parseHeaders, recipientsOf } from './mail-headers.ts'
import { markArrived } from './mark-arrived.ts'
import { findSideState } from './queries.ts'

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
  const mailHash = keyedHash(keyring, 'mail about documents', messageIdOf(headers) ?? header)
  for (const vehicleId of findAddressedVehicles(config, keyring, recipientsOf(headers))) {
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

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Compares in the same time whatever the secret and the attempt are. */
const isSame = (attempt: string, secret: string) => timingSafeEqual(sha256(attempt), sha256(secret))

/**
 * Registers the hook that a mail server calls with every mail to `INBOUND_ADDRESS`. Without that setting it is not there. A
 * known and an unknown recipient are answered alike.
 */
export async function inboundMailRoute(app: FastifyInstance, context: AppContext) {
  const { INBOUND_MAIL_SECRET } = context.config
  const authorize = async ({ headers }: FastifyRequest) => {
    if (INBOUND_MAIL_SECRET === undefined) refuse('not_found')
    const [, attempt = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    if (!isSame(attempt, INBOUND_MAIL_SECRET)) refuse('forbidden')
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
    const end = endOfHeaders(header)
    isComplete = end >= 0 || header.length > HEADER_MAX_BYTES
    if (isComplete) header = header.slice(0, end >= 0 ? end : HEADER_MAX_BYTES)
  }
  return header
}
