import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { CONTACT_SUBJECTS } from '#contract/contact-subjects.ts'
import { SERVICE_MAIL_TYPES } from '#contract/service-mails.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { CIVIC } from '../disputes.ts'
import { fileForm, PIXEL } from '../upload.ts'
import { LIVE_PLATE, type MatrixCaller, type Things } from './callers.ts'
import type { IdKind } from './table.ts'

/** How a route is called: the address, and what else is not the default. */
export type MatrixRequest = { path?: string; body?: unknown; form?: URLSearchParams | FormData }

/**
 * Returns the request for a thing.
 *
 * @param kind whose the thing is
 * @param own the caller's own things
 */
type MakeRequest = (thing: Things, context: { kind: IdKind; own: MatrixCaller['own'] }) => MatrixRequest

const newEmail = () => `new-${randomUUID()}@example.com`
const CONTACT = { name: 'Sam Roy', subject: CONTACT_SUBJECTS[0], message: 'A question' }
const contactForm = (): MatrixRequest => ({ form: new URLSearchParams({ ...CONTACT, email: newEmail() }) })
const tagForm =
  (path: (thing: Things) => string): MakeRequest =>
  (thing) => ({
    path: path(thing),
    form: new URLSearchParams({ digits: '00000000', plate_end: thing.plateEnd, reason: 'alarm' }),
  })
const receiptForm: MakeRequest = (_, { own }) => ({ form: new URLSearchParams({ receipt: own.receipt }) })
const noteKeyOf = ({ note, notePlate }: Things) => ({ code: note, plate: notePlate })
const noteKey = (thing: Things): MatrixRequest => ({ body: noteKeyOf(thing) })
const noteForm = (thing: Things): MatrixRequest => ({ form: new URLSearchParams(noteKeyOf(thing)) })
const deviceKeys = createECDH('prime256v1')
deviceKeys.generateKeys()
const DEVICE_KEYS = { p256dh: deviceKeys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
let plates = 0

/** The routes that need more than their address with the thing's name in it, by their label in the table. */
export const REQUESTS: Record<string, MakeRequest> = {
  // accounts
  'POST /auth/v1/signup': ({ email }, { kind }) => ({
    body: { email: kind === 'missing' ? newEmail() : email, password: 'Another-horse-8' },
  }),
  'POST /auth/v1/signup/password': () => ({ body: { keep: true } }),
  'GET /auth/v1/verify': ({ link }) => ({ path: `/auth/v1/verify?type=recovery&token=${link}` }),
  'POST /auth/v1/verify': ({ link }) => ({ body: { type: 'recovery', token_hash: link } }),
  'POST /auth/v1/token': ({ email }, { own }) => ({
    path: '/auth/v1/token?grant_type=password',
    body: { email, password: own.password },
  }),
  'POST /auth/v1/token (refresh)': ({ refreshToken }) => ({
    path: '/auth/v1/token?grant_type=refresh_token',
    body: { refresh_token: refreshToken },
  }),
  'POST /auth/v1/otp': ({ email }) => ({ body: { email, create_user: false } }),
  'POST /auth/v1/resend': ({ email }) => ({ body: { email, type: 'signup' } }),
  'POST /auth/v1/recover': ({ email }) => ({ body: { email } }),
  'PUT /auth/v1/user': () => ({ body: { data: { full_name: 'Robin Roy', is_admin: true } } }),
  'PUT /auth/v1/user (app_metadata)': () => ({ body: { app_metadata: { is_admin: true } } }),
  'POST /api/email-change': () => ({ body: { email: newEmail() } }),
  'POST /api/email-change/links': ({ emailLink }) => ({ body: { action: 'confirm', token: emailLink } }),
  'POST /auth/v1/factors': () => ({ body: { factor_type: 'totp', friendly_name: 'Another' } }),
  'DELETE /auth/v1/factors/:id': ({ factor }) => ({ path: `/auth/v1/factors/${factor}` }),
  'POST /auth/v1/factors/:id/challenge': ({ factor }) => ({ path: `/auth/v1/factors/${factor}/challenge`, body: {} }),
  'POST /auth/v1/factors/:id/verify': ({ factor }) => ({
    path: `/auth/v1/factors/${factor}/verify`,
    body: { challenge_id: randomUUID(), code: '000000' },
  }),
  'GET /auth/v1/admin/users/:id': ({ user }) => ({ path: `/auth/v1/admin/users/${user}` }),
  'DELETE /auth/v1/admin/users/:id': ({ user }) => ({ path: `/auth/v1/admin/users/${user}` }),
  'POST /functions/v1/delete-user': ({ user }) => ({ body: { id: user } }),
  'POST /api/consent': () => ({ body: { version: TERMS_VERSION, age_ok: true } }),
  'PATCH /api/preferences': () => ({ body: { email_messages: false } }),
  // vehicles
  'POST /register-plate': ({ user }) => ({ body: { plate: `NEW${++plates}`, ...CIVIC, user_id: user } }),
  'PATCH /api/vehicles/:id': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}`, body: { paused: true } }),
  'DELETE /api/vehicles/:id': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}` }),
  'GET /api/vehicles/:id/people': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/people` }),
  'DELETE /api/vehicles/:id/people/:personId': ({ vehicle, driver }) => ({
    path: `/api/vehicles/${vehicle}/people/${driver}`,
  }),
  'POST /api/vehicles/:id/invitations': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/invitations`, body: {} }),
  'DELETE /api/invitations/:id': ({ invitation }) => ({ path: `/api/invitations/${invitation}` }),
  'POST /api/invitations/accept': ({ invitationCode }) => ({ body: { code: invitationCode } }),
  'PUT /api/vehicles/:id/holder': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/holder`, body: {} }),
  'DELETE /api/vehicles/:id/holder': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/holder` }),
  'GET /api/vehicles/:id/documents': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/documents` }),
  'POST /api/vehicles/:id/documents': ({ vehicle }) => ({
    path: `/api/vehicles/${vehicle}/documents`,
    form: imageForm(),
  }),
  'DELETE /api/documents/:id': ({ document }) => ({ path: `/api/documents/${document}` }),
  // messages and images
  'POST /api/messages': ({ image }) => ({ body: { plate: LIVE_PLATE, content: 'Hello', attachment_id: image } }),
  'POST /api/messages/search': () => ({ body: { text: 'hello', view: 'received' } }),
  'GET /api/messages/:id': ({ message }) => ({ path: `/api/messages/${message}` }),
  'PATCH /api/messages/:id': ({ message }) => ({ path: `/api/messages/${message}`, body: { is_read: true } }),
  'POST /api/messages/:id/reply': ({ message }) => ({
    path: `/api/messages/${message}/reply`,
    body: { reply: 'Thank you' },
  }),
  'POST /api/messages/:id/nudge': ({ message }) => ({ path: `/api/messages/${message}/nudge`, body: {} }),
  'POST /api/messages/:id/block': ({ message }) => ({ path: `/api/messages/${message}/block` }),
  'POST /api/messages/:id/report': ({ message }) => ({
    path: `/api/messages/${message}/report`,
    body: { reason: 'harassment', note: 'Not the first time' },
  }),
  'GET /api/messages/:id/collision': ({ message }) => ({ path: `/api/messages/${message}/collision` }),
  'POST /api/messages/:id/witness/ask': ({ message }) => ({ path: `/api/messages/${message}/witness/ask` }),
  'POST /api/messages/:id/witness/answer': ({ message }) => ({
    path: `/api/messages/${message}/witness/answer`,
    body: { release: true, contact: { name: 'Kim Roy', phone: '416 555 0100' } },
  }),
  'DELETE /api/messages/:id/witness': ({ message }) => ({ path: `/api/messages/${message}/witness` }),
  'DELETE /api/blocks/:id': ({ block }) => ({ path: `/api/blocks/${block}` }),
  'POST /api/attachments': () => ({ form: imageForm() }),
  'GET /storage/v1/object/public/message-attachments/:file': ({ imageFile }) => ({
    path: `/storage/v1/object/public/message-attachments/${imageFile}`,
  }),
  // notifications
  'PATCH /api/notifications/:id': ({ notification }) => ({
    path: `/api/notifications/${notification}`,
    body: { is_read: true },
  }),
  'PATCH /api/push': () => ({ body: { message_text: true } }),
  'POST /api/push/answers': () => ({ body: { token: 'x'.repeat(70) } }),
  'POST /api/push/renewals': ({ device }) => ({
    body: { endpoint: device, keys: DEVICE_KEYS, token: 'x'.repeat(64) },
  }),
  'POST /api/push/subscriptions': ({ device }) => ({ body: { endpoint: device, keys: DEVICE_KEYS } }),
  'DELETE /api/push/subscriptions': ({ device }) => ({
    path: `/api/push/subscriptions?endpoint=${encodeURIComponent(device)}`,
  }),
  // admins
  'POST /rest/v1/rpc/get_users': () => ({ body: {} }),
  'GET /api/admin/users/:id': ({ user }) => ({ path: `/api/admin/users/${user}` }),
  'GET /api/admin/users/:id/events': ({ user }) => ({ path: `/api/admin/users/${user}/events` }),
  'POST /api/admin/vehicles/:id/approve': ({ vehicle }) => ({
    path: `/api/admin/vehicles/${vehicle}/approve`,
    body: {},
  }),
  'POST /api/admin/vehicles/:id/reject': ({ vehicle }) => ({
    path: `/api/admin/vehicles/${vehicle}/reject`,
    body: { reason: 'Not readable' },
  }),
  'DELETE /api/admin/vehicles/:id': ({ vehicle }) => ({ path: `/api/admin/vehicles/${vehicle}` }),
  'PATCH /api/admin/disputes/:id': ({ dispute }) => ({
    path: `/api/admin/disputes/${dispute}`,
    body: { documents_received: true },
  }),
  'POST /api/admin/failed-mails/:id/retry': ({ failedMail }) => ({
    path: `/api/admin/failed-mails/${failedMail}/retry`,
    body: {},
  }),
  'POST /api/admin/failed-mails/retry': () => ({ body: {} }),
  'POST /api/admin/waiting-mails/hurry': () => ({ body: {} }),
  'POST /api/admin/reports/:id/open': (things) => ({
    path: `/api/admin/reports/${things.case}/open`,
    body: { purpose: 'A new report' },
  }),
  'POST /api/admin/reports/:id/decide': (things) => ({
    path: `/api/admin/reports/${things.case}/decide`,
    body: { action: 'warn', reason: 'Please be kind' },
  }),
  'POST /api/appeals': () => ({ body: { text: 'It was not me.' } }),
  'POST /api/appeals (token)': ({ appealToken }) => ({
    path: '/api/appeals',
    body: { token: appealToken, text: 'It was not me.' },
  }),
  'POST /api/appeals/sanction': () => ({ body: {} }),
  'POST /api/appeals/sanction (token)': ({ appealToken }) => ({
    path: '/api/appeals/sanction',
    body: { token: appealToken },
  }),
  'GET /api/admin/people/:id': ({ person }) => ({ path: `/api/admin/people/${person}` }),
  'POST /api/admin/people/:id/suspend': ({ person }) => ({
    path: `/api/admin/people/${person}/suspend`,
    body: { reason: 'Two threats' },
  }),
  'POST /api/admin/people/:id/lift': ({ person }) => ({
    path: `/api/admin/people/${person}/lift`,
    body: { reason: 'A mistake' },
  }),
  'POST /api/admin/appeals/:id/open': ({ appeal }) => ({ path: `/api/admin/appeals/${appeal}/open`, body: {} }),
  'POST /api/admin/appeals/:id/decide': ({ appeal }) => ({
    path: `/api/admin/appeals/${appeal}/decide`,
    body: { uphold: true, reason: 'Nothing new' },
  }),
  'POST /api/admin/documents/:id/open': ({ document }) => ({
    path: `/api/admin/documents/${document}/open`,
    body: {},
  }),
  // contact, and what other software calls
  'POST /send-email': () => ({ body: { type: 'contact', email: newEmail(), ...CONTACT } }),
  'POST /send-email (by software)': ({ email }) => ({
    body: {
      type: SERVICE_MAIL_TYPES[0],
      to: email,
      plate: LIVE_PLATE,
      message: 'Hello',
      link: 'http://platenote.test/',
    },
  }),
  'POST /api/notes': () => ({ body: { plate: 'NOBODY', content: 'Your lights are on' } }),
  'POST /api/notes/open': noteKey,
  'POST /api/notes/reply': (thing) => ({ body: { ...noteKeyOf(thing), reply: 'On my way' } }),
  'POST /api/notes/unwanted': noteKey,
  'POST /api/notes/claim': noteKey,
  'POST /n': noteForm,
  'POST /fr/n': noteForm,
  'POST /contact-us': contactForm,
  'POST /fr/contact-us': contactForm,
  'GET /unsubscribe/:token': ({ unsubscribe }) => ({ path: `/unsubscribe/${unsubscribe}` }),
  'POST /unsubscribe/:token': ({ unsubscribe }) => ({ path: `/unsubscribe/${unsubscribe}` }),
  // windshield tags
  'POST /api/vehicles/:id/tag': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/tag`, body: {} }),
  'GET /api/vehicles/:id/tag': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/tag` }),
  'DELETE /api/vehicles/:id/tag': ({ vehicle }) => ({ path: `/api/vehicles/${vehicle}/tag` }),
  'POST /api/tags/:token/messages': ({ tag, plateEnd }) => ({
    path: `/api/tags/${tag}/messages`,
    body: { plate_end: plateEnd, reason: 'alarm' },
  }),
  'GET /api/receipts/:receipt': ({ receipt }) => ({ path: `/api/receipts/${receipt}` }),
  'POST /api/receipts/:receipt/push': ({ receipt }, { own }) => ({
    path: `/api/receipts/${receipt}/push`,
    body: { endpoint: own.device, keys: DEVICE_KEYS },
  }),
  'POST /t': tagForm(() => '/t'),
  'POST /fr/t': tagForm(() => '/fr/t'),
  'POST /t/:token': tagForm(({ tag }) => `/t/${tag}`),
  'POST /fr/t/:token': tagForm(({ tag }) => `/fr/t/${tag}`),
  'POST /r': receiptForm,
  'POST /fr/r': receiptForm,
  // development
  'GET /dev/mailbox/:id': ({ mail }) => ({ path: `/dev/mailbox/${mail}` }),
  'GET /dev/mailbox/:id/html': ({ mail }) => ({ path: `/dev/mailbox/${mail}/html` }),
}

const imageForm = (): FormData => fileForm(PIXEL, { type: 'image/png', name: 'photo.png' })
