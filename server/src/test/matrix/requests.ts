import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { CONTACT_SUBJECTS } from '#contract/contact-subjects.ts'
import { SERVICE_MAIL_TYPES } from '#contract/service-mails.ts'
import { TERMS_VERSION } from '#contract/terms.ts'
import { CIVIC } from '../disputes.ts'
import { fileForm, PIXEL } from '../upload.ts'
import { LIVE_PLATE, type MatrixCaller, type Things } from './callers.ts'
import type { IdKind } from './table.ts'

/** How a route is called: what is not the default, which is the address with the thing in it and nothing else. */
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
const tagForm: MakeRequest = ({ plateEnd }) => ({
  form: new URLSearchParams({ digits: '00000000', plate_end: plateEnd, reason: 'alarm' }),
})
const receiptForm: MakeRequest = (_, { own }) => ({ form: new URLSearchParams({ receipt: own.receipt }) })
const noteKeyOf = ({ note, notePlate }: Things) => ({ code: note, plate: notePlate })
const noteForm = (thing: Things): MatrixRequest => ({ form: new URLSearchParams(noteKeyOf(thing)) })
// none of anybody's: whose session comes with it changes nothing
const answerForm = (): MatrixRequest => ({
  form: new URLSearchParams({ token: randomBytes(32).toString('base64url') }),
})
const deviceKeys = createECDH('prime256v1')
deviceKeys.generateKeys()
const DEVICE_KEYS = { p256dh: deviceKeys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
let plates = 0

/** What a parameter of an address names, by the word before it. */
const THINGS: Record<string, keyof Things> = {
  'appeals/:id': 'appeal',
  'blocks/:id': 'block',
  'disputes/:id': 'dispute',
  'documents/:id': 'document',
  'factors/:id': 'factor',
  'failed-mails/:id': 'failedMail',
  'invitations/:id': 'invitation',
  'mailbox/:id': 'mail',
  'message-attachments/:file': 'imageFile',
  'messages/:id': 'message',
  'notifications/:id': 'notification',
  'people/:id': 'person',
  'people/:personId': 'driver',
  'receipts/:receipt': 'receipt',
  'reports/:id': 'case',
  't/:token': 'tag',
  'unsubscribe/:token': 'unsubscribe',
  'users/:id': 'user',
  'vehicles/:id': 'vehicle',
}

/** Puts things into an address in place of its parameters. */
export const fillAddress = (address: string, things: Things): string =>
  address.replace(/([\w-]+)\/:\w+/g, (parameter, word: string) => {
    const name = THINGS[parameter]
    if (name === undefined) throw new Error(`nothing is known of ${parameter}`)
    return `${word}/${things[name]}`
  })

/** The routes that need more than their address with the thing in it, by their label in the table. */
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
  'POST /api/account-links': ({ emailLink }) => ({ body: { action: 'confirm', token: emailLink } }),
  'POST /auth/v1/factors': () => ({ body: { factor_type: 'totp', friendly_name: 'Another' } }),
  'POST /auth/v1/factors/:id/challenge': () => ({ body: {} }),
  'POST /auth/v1/factors/:id/verify': () => ({ body: { challenge_id: randomUUID(), code: '000000' } }),
  'POST /functions/v1/delete-user': ({ user }) => ({ body: { id: user } }),
  'POST /api/consent': () => ({ body: { version: TERMS_VERSION, age_ok: true } }),
  'PATCH /api/preferences': () => ({ body: { email_messages: false } }),
  // vehicles
  'POST /register-plate': ({ user }) => ({ body: { plate: `NEW${++plates}`, ...CIVIC, user_id: user } }),
  'PATCH /api/vehicles/:id': () => ({ body: { paused: true } }),
  'POST /api/vehicles/:id/invitations': () => ({ body: {} }),
  'POST /api/invitations/accept': ({ invitationCode }) => ({ body: { code: invitationCode } }),
  'POST /api/vehicles/:id/documents': () => ({ form: imageForm() }),
  // messages and images
  'POST /api/messages': ({ image }) => ({ body: { plate: LIVE_PLATE, content: 'Hello', attachment_id: image } }),
  'POST /api/messages/search': () => ({ body: { text: 'hello', view: 'received' } }),
  'PATCH /api/messages/:id': () => ({ body: { is_read: true } }),
  'POST /api/messages/:id/reply': () => ({ body: { reply: 'Thank you' } }),
  'POST /api/messages/:id/nudge': () => ({ body: {} }),
  'POST /api/messages/:id/report': () => ({ body: { reason: 'harassment', note: 'Not the first time' } }),
  'POST /api/messages/:id/witness/answer': () => ({
    body: { release: true, contact: { name: 'Kim Roy', phone: '416 555 0100' } },
  }),
  'POST /api/attachments': () => ({ form: imageForm() }),
  // notifications
  'PATCH /api/notifications/:id': () => ({ body: { is_read: true } }),
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
  'POST /api/admin/vehicles/:id/approve': () => ({ body: {} }),
  'POST /api/admin/vehicles/:id/reject': () => ({ body: { reason: 'Not readable' } }),
  'PATCH /api/admin/disputes/:id': () => ({ body: { documents_received: true } }),
  'POST /api/admin/failed-mails/:id/retry': () => ({ body: {} }),
  'POST /api/admin/failed-mails/retry': () => ({ body: {} }),
  'POST /api/admin/waiting-mails/hurry': () => ({ body: {} }),
  'POST /api/admin/reports/:id/open': () => ({ body: { purpose: 'A new report' } }),
  'POST /api/admin/reports/:id/decide': () => ({ body: { action: 'warn', reason: 'Please be kind' } }),
  'POST /api/appeals': () => ({ body: { text: 'It was not me.' } }),
  'POST /api/appeals (token)': ({ appealToken }) => ({
    body: { token: appealToken, text: 'It was not me.' },
  }),
  'POST /api/appeals/sanction': () => ({ body: {} }),
  'POST /api/appeals/sanction (token)': ({ appealToken }) => ({
    body: { token: appealToken },
  }),
  'POST /api/admin/people/:id/suspend': () => ({ body: { reason: 'Two threats' } }),
  'POST /api/admin/people/:id/lift': () => ({ body: { reason: 'A mistake' } }),
  'POST /api/admin/appeals/:id/open': () => ({ body: {} }),
  'POST /api/admin/appeals/:id/decide': () => ({ body: { uphold: true, reason: 'Nothing new' } }),
  'POST /api/admin/documents/:id/open': () => ({ body: {} }),
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
  'POST /api/notes/claim': (thing) => ({ body: noteKeyOf(thing) }),
  'POST /n': noteForm,
  'POST /fr/n': noteForm,
  'POST /answer': answerForm,
  'POST /fr/answer': answerForm,
  'POST /contact-us': contactForm,
  'POST /fr/contact-us': contactForm,
  // windshield tags
  'POST /api/vehicles/:id/tag': () => ({ body: {} }),
  'POST /api/receipts/:receipt/push': (_, { own }) => ({ body: { endpoint: own.device, keys: DEVICE_KEYS } }),
  'POST /t': tagForm,
  'POST /fr/t': tagForm,
  'POST /t/:token': tagForm,
  'POST /fr/t/:token': tagForm,
  'POST /r': receiptForm,
  'POST /fr/r': receiptForm,
}

const imageForm = (): FormData => fileForm(PIXEL, { type: 'image/png', name: 'photo.png' })
