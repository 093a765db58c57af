import { randomUUID } from 'node:crypto'
import type { Answer, ReceivedMessage } from '#contract/messages.ts'
import type { Locale } from '#contract/product.ts'
import type { Province } from '#contract/provinces.ts'
import type { ReportReason } from '#contract/reports.ts'
import type { Tag } from '#contract/tags.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { cookieNames, toAccountCookie, UNSAVED } from '../../contract/src/session-cookie.ts'
import { TERMS_VERSION } from '../../contract/src/terms.ts'
import { accepted, type Caller, createCaller } from '../../server/src/test/caller.ts'
import { eventually } from '../../server/src/test/eventually.ts'
import { currentCode } from '../../server/src/test/factors.ts'
import { DAY_S } from '../../server/src/time.ts'
import { CONSENT_KEY } from '../../web/src/lib/page/storage.ts'
import type { Product } from './product.ts'

/** A valid password for people whose password does not matter. */
export const PASSWORD = 'Correct-horse-7'

export type Session = {
  access_token: string
  refresh_token: string
  expires_at: number
  user: { id: string; app_metadata: { locale: Locale } }
}

/** Somebody with a confirmed account, and what they can do without a screen. */
export type Person = Awaited<ReturnType<typeof newPerson>>

/** Returns an address that nobody has, almost as long as one may be before its @, so that every screen with an address has one that is too long for a line. */
export const newEmail = (name = 'person') => `${`${name}-${randomUUID().slice(0, 8)}`.padEnd(60, 'w')}@example.com`

/** What anybody may write that has no place to break: a link, and letters. */
export const UNBROKEN = `https://example.com/${'photo'.repeat(18)} ${'w'.repeat(1_800)}`

/** What anybody may write that turns the direction of a line, looks like HTML, and has no place to break. */
export const HOSTILE = `\u202e<b onclick=alert(1)>${'w'.repeat(70)}`

let plateCount = 0

/** Returns a plate that nobody has; every worker has its own database. */
export const newPlate = () => `E2E${String(++plateCount).padStart(4, '0')}`

let clients = 0
/** Returns the address of one more client. */
export const newAddress = () => `203.0.113.${(++clients % 250) + 1}`

/** Returns the link of the newest email with one that signs in, confirms or recovers, once there are at least so many to an address. */
export async function confirmationLink({ inbox }: Product, email: string, least = 1): Promise<string> {
  return eventually(async () => {
    const mails = await inbox.to(email, least)
    const links = mails.flatMap(({ parsed }) => /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(parsed.text ?? '') ?? [])
    return links.length < least ? undefined : links.at(-1)
  })
}

/** Returns the code of the newest email with one to an address, once there are at least so many. It is first in the subject. */
export async function emailedCode({ inbox }: Product, email: string, least = 1): Promise<string> {
  return eventually(async () => {
    const subjects = (await inbox.to(email, least)).map(({ parsed }) => parsed.subject ?? '')
    const codes = subjects.flatMap((subject) => /^\d{6}(?= )/.exec(subject) ?? [])
    return codes.length < least ? undefined : codes.at(-1)
  })
}

/** Does something that emails a code to an address, and resolves with that code. */
export async function codeAfter(product: Product, email: string, act: () => Promise<unknown>): Promise<string> {
  const subjects = (await product.inbox.to(email)).map(({ parsed }) => parsed.subject ?? '')
  await act()
  return emailedCode(product, email, subjects.filter((subject) => /^\d{6} /.test(subject)).length + 1)
}

/** Signs up somebody called Robin on another device, and returns their confirmation link. */
export async function signUpLink(product: Product, email = newEmail(), locale: Locale = 'en'): Promise<string> {
  const redirectTo = encodeURIComponent(`${product.url}/verify-email`)
  const data = { full_name: 'Robin Tester', locale, terms_version: TERMS_VERSION, age_ok: true }
  const visitor = createCaller(product.url)
  await accepted(visitor.post(`/auth/v1/signup?redirect_to=${redirectTo}`, { email, password: PASSWORD, data }))
  return confirmationLink(product, email)
}

/** Posts the token of a link, as an app does: the account is then confirmed, with the password of its sign-up, and signed in. */
async function postLink(visitor: Caller, link: string): Promise<Session> {
  const { searchParams } = new URL(link)
  const body = { type: searchParams.get('type'), token_hash: searchParams.get('token') }
  return accepted(visitor.post('/auth/v1/verify', body))
}

/** Signs in with the code of an email, which makes an account without password and name, and agrees to the terms. */
async function signInByCode(product: Product, email: string, visitor: Caller): Promise<Session> {
  await accepted(visitor.post('/auth/v1/otp', { email, create_user: true }))
  const body = { type: 'email', email, token: await emailedCode(product, email) }
  const session: Session = await accepted(visitor.post('/auth/v1/verify', body))
  const authorization = `Bearer ${session.access_token}`
  await accepted(visitor.post('/api/consent', { version: TERMS_VERSION, age_ok: true }, { authorization }))
  return session
}

/**
 * Signs somebody up with the calls of the screens, and in with the link of the real email.
 *
 * @param options `address` is where their calls come from, for a product that believes its proxy; `byCode`: with a code instead,
 *   so that the account has neither password nor name
 */
export async function newPerson(
  product: Product,
  options: { fullName?: string; locale?: 'en' | 'fr-CA'; agreed?: boolean; address?: string; byCode?: boolean } = {},
) {
  const { url } = product
  const { agreed = true, byCode = false } = options
  const email = newEmail()
  const from: Record<string, string> = options.address === undefined ? {} : { 'x-forwarded-for': options.address }
  const data = {
    ...{ full_name: options.fullName ?? `Alex ${'Tremblay'.repeat(11)}`, locale: options.locale ?? 'en' },
    ...(agreed && { terms_version: TERMS_VERSION, age_ok: true }),
  }
  const visitor = createCaller(url, undefined, from)
  if (!byCode) await accepted(visitor.post('/auth/v1/signup', { email, password: PASSWORD, data }))
  let isConfirmed = false
  let session = byCode
    ? await signInByCode(product, email, visitor)
    : await postLink(visitor, await confirmationLink(product, email))
  const signIn = (): Promise<Session> =>
    accepted(visitor.post('/auth/v1/token?grant_type=password', { email, password: PASSWORD }))
  const calls = () => createCaller(url, session.access_token, from)
  const get = (path: string) => accepted(calls().get(path))
  const post = (path: string, body: unknown = {}, headers?: Record<string, string>) =>
    accepted(calls().post(path, body, headers))

  return {
    email,
    fullName: data.full_name,
    id: session.user.id,
    /** Adds an authenticator app, and confirms this session with it, as an admin has to in production. */
    async confirmWithApp() {
      const factor = await post('/auth/v1/factors', { factor_type: 'totp' })
      const challenge = await post(`/auth/v1/factors/${factor.id}/challenge`)
      const answer = { challenge_id: challenge.id, code: currentCode(factor.totp.secret) }
      session = await post(`/auth/v1/factors/${factor.id}/verify`, answer)
      isConfirmed = true
    },
    /**
     * Returns what a browser stores in which this person is signed in. Every browser gets its own session.
     *
     * @param language chosen in this browser, as with the language switch; the one it was made with when left out
     */
    async storageState({
      origin = url,
      language = data.locale,
    }: {
      origin?: string
      language?: Locale | 'account' | undefined
    } = {}) {
      const own = await this.openSession()
      const { id, app_metadata } = own.user
      const chosen = [app_metadata.locale, 'account'].includes(language) ? app_metadata.locale : language + UNSAVED
      const secure = origin.startsWith('https:')
      const names = cookieNames(secure)
      const cookie = (name: string, value: string, httpOnly: boolean) => ({
        ...{ name, value, httpOnly, domain: new URL(origin).hostname, path: '/' },
        ...{ secure, sameSite: 'Strict' as const, expires: Math.floor(Date.now() / 1000) + 90 * DAY_S },
      })
      return {
        cookies: [
          cookie(names.session, own.refresh_token, true),
          cookie(names.account, toAccountCookie(id, chosen as Locale), false),
        ],
        origins: [{ origin, localStorage: agreed ? [{ name: CONSENT_KEY, value: `${id} ${TERMS_VERSION}` }] : [] }],
      }
    },
    /** Returns a session that no browser has. */
    // another one would have to be confirmed as well, or needs another code
    openSession: async () => (isConfirmed || byCode ? session : signIn()),
    async registerVehicle(plate = newPlate(), province: Province = 'Ontario'): Promise<Vehicle> {
      const details = { make: 'Honda', model: 'Civic', registration_year: 2020 }
      return (await post('/register-plate', { plate, province, ...details })).vehicle
    },
    async deleteVehicle({ id }: Pick<Vehicle, 'id'>) {
      await accepted(calls().delete(`/api/vehicles/${id}`))
    },
    /** Returns the message's id. */
    async sendMessage(plate: string, content: string): Promise<string> {
      return (await post('/api/messages', { plate, content }, { 'idempotency-key': randomUUID() })).id
    },
    /** Makes the windshield tag of a vehicle. */
    makeTag: (vehicleId: string): Promise<Tag> => post(`/api/vehicles/${vehicleId}/tag`),
    /** Leaves a note for the windshield. Returns its code. */
    async leaveNote(plate: string, content: string): Promise<string> {
      return (await post('/api/notes', { plate, content })).code
    },
    async replyTo(id: string, reply: string, answer?: Answer) {
      await post(`/api/messages/${id}/reply`, { reply, ...(answer && { answer }) })
    },
    async pauseVehicle({ id }: Pick<Vehicle, 'id'>) {
      await accepted(calls().patch(`/api/vehicles/${id}`, { paused: true }))
    },
    /** Reports a message to the moderators. Returns the case's id. */
    async reportMessage(id: string, report: { reason: ReportReason; note?: string }): Promise<string> {
      await post(`/api/messages/${id}/report`, report)
      const [row] = await product.db<{ id: string }[]>`select id from report_cases where message_id = ${id}`
      if (!row) throw new Error('the report has no case')
      return row.id
    },
    /** Returns the messages to this person's vehicles, newest first. */
    async receivedMessages(): Promise<ReceivedMessage[]> {
      return (await get('/api/messages?view=received&limit=100')).items
    },
    /** Requests a password reset, whose link is the second to come unless said otherwise, and returns the link. */
    async requestRecoveryLink(mails = 2): Promise<string> {
      const redirectTo = encodeURIComponent(`${url}/reset-password`)
      await accepted(visitor.post(`/auth/v1/recover?redirect_to=${redirectTo}`, { email }))
      return confirmationLink(product, email, mails)
    },
    /** As an admin: settles a dispute in favour of this vehicle. */
    async approveVehicle({ id }: Pick<Vehicle, 'id'>) {
      await post(`/api/admin/vehicles/${id}/approve`)
    },
    async rejectVehicle({ id }: Pick<Vehicle, 'id'>, reason: string) {
      await post(`/api/admin/vehicles/${id}/reject`, { reason })
    },
    /** Lets a day pass since this person entered a password or a code. */
    async ageSessions() {
      await product.db`
        update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', '1'), created_at = now() - interval '1 day'
        where user_id = ${session.user.id}`
    },
    /** As an admin: returns the id under which admins know the person of an account. */
    async personIdOf({ id }: { id: string }): Promise<string> {
      return (await get(`/api/admin/users/${id}`)).person_id
    },
    /** As an admin: suspends the person of an account. Returns the link to appeal in their email, and their id. */
    async suspend(person: { id: string; email: string }) {
      const personId = await this.personIdOf(person)
      const before = (await product.inbox.to(person.email)).length
      await post(`/api/admin/people/${personId}/suspend`, {
        reason: `Two threats in one day. ${UNBROKEN.slice(0, 900)}`,
        days: 30,
      })
      const mails = await product.inbox.to(person.email, before + 1)
      const [link] = /https?:\/\/\S+\/appeal#token=[\w-]+/.exec(mails.at(-1)?.parsed.text ?? '') ?? []
      if (!link) throw new Error('the email has no link to appeal')
      return { personId, link }
    },
    async signOutEverywhere() {
      await post('/auth/v1/logout?scope=global')
    },
  }
}
