import { randomUUID } from 'node:crypto'
import type { ReceivedMessage } from '#contract/messages.ts'
import type { Province } from '#contract/provinces.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { SESSION_KEY } from '../../web/src/lib/session/stored-session.ts'
import type { Product } from './product.ts'

/** A good password for people whose password does not matter. */
export const PASSWORD = 'Correct-horse-7'

export type Session = { access_token: string; refresh_token: string; user: { id: string } }

/** Somebody with a confirmed account, made by the calls the screens make, and what they can do without a screen. */
export type Person = Awaited<ReturnType<typeof newPerson>>

export const newEmail = (name = 'person') => `${name}-${randomUUID().slice(0, 8)}@example.com`

let plateCount = 0

/** A plate nobody has. Workers have databases of their own. */
export const newPlate = () => `E2E${String(++plateCount).padStart(4, '0')}`

/** The confirmation link of the newest mail to an address, once there are `least` of them. */
export async function confirmationLink({ inbox }: Product, email: string, least = 1): Promise<string> {
  const mails = await inbox.to(email, least)
  const [link] = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mails.at(-1)?.parsed.text ?? '') ?? []
  if (!link) throw new Error(`no link in the mail to ${email}`)
  return link
}

async function request(
  url: string,
  init: { method?: string; token?: string; body?: unknown; headers?: Record<string, string> },
) {
  const form = init.body instanceof FormData
  const response = await fetch(url, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(init.token && { authorization: `Bearer ${init.token}` }),
      ...(init.body !== undefined && !form && { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(init.body !== undefined && { body: form ? (init.body as FormData) : JSON.stringify(init.body) }),
  })
  const text = await response.text()
  if (response.status >= 400) throw new Error(`${response.status} ${url}: ${text}`)
  return text.startsWith('{') ? (JSON.parse(text) as unknown) : undefined
}

/** The confirmation link of somebody called Robin, who signs up on another device. */
export async function signUpLink(product: Product, email = newEmail()): Promise<string> {
  const redirectTo = encodeURIComponent(`${product.url}/verify-email`)
  const data = { full_name: 'Robin Tester', locale: 'en' }
  await request(`${product.url}/auth/v1/signup?redirect_to=${redirectTo}`, {
    body: { email, password: PASSWORD, data },
  })
  return confirmationLink(product, email)
}

/** Signs somebody up, opens the link of the real mail, and signs in. */
export async function newPerson(product: Product, options: { fullName?: string; locale?: 'en' | 'fr-CA' } = {}) {
  const { url } = product
  const email = newEmail()
  const data = { full_name: options.fullName ?? 'Alex Tremblay', locale: options.locale ?? 'en' }
  await request(`${url}/auth/v1/signup`, { body: { email, password: PASSWORD, data } })
  await request(await confirmationLink(product, email), {})
  const signIn = async () =>
    (await request(`${url}/auth/v1/token?grant_type=password`, { body: { email, password: PASSWORD } })) as Session
  const session = await signIn()
  const call = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(url + path, { token: session.access_token, body, headers })

  return {
    email,
    fullName: data.full_name,
    id: session.user.id,
    /** What a browser in which this person is signed in holds, at this address. Every browser gets a session of its own. */
    async storageState(origin = url) {
      const localStorage = [{ name: SESSION_KEY, value: JSON.stringify(await signIn()) }]
      return { cookies: [], origins: [{ origin, localStorage }] }
    },
    async registerVehicle(plate = newPlate(), province: Province = 'Ontario'): Promise<Vehicle> {
      const details = { make: 'Honda', model: 'Civic', registration_year: 2020 }
      const response = (await call('/register-plate', { plate, province, ...details })) as { vehicle: Vehicle }
      return response.vehicle
    },
    /** Resolves with the message's id. */
    async sendMessage(plate: string, content: string): Promise<string> {
      const { id } = (await call('/api/messages', { plate, content }, { 'idempotency-key': randomUUID() })) as {
        id: string
      }
      return id
    },
    async replyTo(id: string, reply: string) {
      await call(`/api/messages/${id}/reply`, { reply })
    },
    /** The messages to this person's vehicles, newest first. */
    async receivedMessages(): Promise<ReceivedMessage[]> {
      return ((await call('/api/messages?view=received&limit=100')) as { items: ReceivedMessage[] }).items
    },
    /** Asks for a new password, before any other mail than that of the sign-up has come, and resolves with the link. */
    async requestRecoveryLink(page = '/reset-password'): Promise<string> {
      const redirectTo = encodeURIComponent(url + page)
      await request(`${url}/auth/v1/recover?redirect_to=${redirectTo}`, { body: { email } })
      return confirmationLink(product, email, 2)
    },
    /** As an admin: settles whose the plate is in this vehicle's favour. */
    async approveVehicle({ id }: Pick<Vehicle, 'id'>) {
      await call(`/api/admin/vehicles/${id}/approve`, {})
    },
    async rejectVehicle({ id }: Pick<Vehicle, 'id'>, reason: string) {
      await call(`/api/admin/vehicles/${id}/reject`, { reason })
    },
    async signOutEverywhere() {
      await request(`${url}/auth/v1/logout?scope=global`, { method: 'POST', token: session.access_token })
    },
  }
}
