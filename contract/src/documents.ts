// chunk: signed-in (the inbox of admins knows of them too, and others must not load the chunk of admins for them)

import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'

// Documents that the sides of a dispute send (decision plate-disputes): encrypted, and read by the admin who decides alone.

/** Maximum size of one document, in bytes. */
export const DOCUMENT_MAX_BYTES = 10 * 1000 * 1000

/** How many documents a side can send: a licence and a registration. */
export const DOCUMENTS_MAX = 2

/** What a stored document is: an image that was encoded again, or a PDF as it came. */
export const DocumentKind = z.enum(['image', 'pdf'])
export type DocumentKind = z.infer<typeof DocumentKind>

/** A document that arrived. Its content never comes back to the person who sent it. */
export const SentDocument = z.object({
  id: z.uuid(),
  kind: DocumentKind,
  /** Which of the two it is: 1 the licence, 2 the registration. */
  place: z.number(),
  /** In bytes, as it is stored. */
  size: z.number(),
  created_at: z.iso.datetime(),
})
export type SentDocument = z.infer<typeof SentDocument>

/** What has arrived of one side. */
export const ArrivedDocuments = z.object({
  items: z.array(SentDocument),
  /** When the first reply to the email about the dispute arrived; null without one. */
  mailed_at: z.nullable(z.iso.datetime()),
  /** Whether this side's registration waits for an admin, and ends by no due date: its documents arrived. */
  waits_for_admin: z.boolean(),
})
export type ArrivedDocuments = z.infer<typeof ArrivedDocuments>

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/api/vehicles/:id/documents',
  audience: 'user',
  status: 201,
  summary: 'Sends an image or a PDF as proof in a dispute, for the admin who decides. A side sends two at most.',
  input: z.extend(IdParam, { file: z.file() }),
  requestType: 'multipart/form-data',
  output: SentDocument,
})

export const listDocuments = endpoint({
  method: 'GET',
  path: '/api/vehicles/:id/documents',
  audience: 'user',
  summary: 'What has arrived of the documents for an own vehicle in a dispute, without its content.',
  input: IdParam,
  output: ArrivedDocuments,
})

export const deleteDocument = endpoint({
  method: 'DELETE',
  path: '/api/documents/:id',
  audience: 'user',
  summary: 'Takes an own document back, while its dispute is open.',
  input: IdParam,
})

/** The response is the file itself: an image as WebP, a PDF as it came. */
export const openDocument = endpoint({
  method: 'POST',
  path: '/api/admin/documents/:id/open',
  audience: 'admin',
  summary:
    'Downloads a document of an open dispute, for the admin who decides. Each opening is recorded in the audit log.',
  input: IdParam,
  output: z.file(),
  responseType: 'application/octet-stream',
})

/** The bearer is INBOUND_MAIL_SECRET. Only the beginning of the mail is read. */
export const receiveInboundMail = endpoint({
  method: 'POST',
  path: '/api/inbound-mail',
  audience: 'service',
  status: 202,
  summary:
    'Takes a mail to INBOUND_ADDRESS from the mail server: documents for a dispute have arrived, or an email came back.',
  input: z.string(),
  requestType: 'message/rfc822',
})
