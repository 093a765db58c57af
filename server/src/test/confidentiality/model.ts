import assert from 'node:assert/strict'
import { grantAdmin } from '../../auth/admin-role.ts'
import { type TestApp, testApp } from '../app.ts'
import { eventually } from '../eventually.ts'
import { startFakePushService } from '../fake-push-service.ts'
import { startSmtpInbox } from '../smtp-inbox.ts'
import { closeStreams, linkTokens, type ModelPerson, mailAsRead, signUpPerson, untilStreamed } from './people.ts'
import { Secrets } from './secrets.ts'

/** How many people take part. */
export const PEOPLE = 5

export type ModelVehicle = {
  id: string
  owner: ModelPerson
  /** Whom the owner invited, and who has not left. */
  drivers: ModelPerson[]
  plateKey: string
  /** The plate as its owner writes it. */
  plate: string
}
export type ModelMessage = {
  id: string
  sender: ModelPerson
  vehicle: ModelVehicle
  /** The drivers who may read it: those who were there when it came, and still are. */
  readers: ModelPerson[]
  /** What both sides may read: the text, the reply, the name of the image. */
  shared: string[]
  replied: boolean
  /** The owner reported it, and reads in the export which message that was. */
  reported: boolean
}

/** Nothing that `by` would get from `who` arrives any more: messages, or replies. */
export type ModelBlock = { by: ModelPerson; who: ModelPerson; what: 'messages' | 'replies' }

/** The people of one run, and what the model knows of them. */
export type Model = {
  people: ModelPerson[]
  vehicles: ModelVehicle[]
  messages: ModelMessage[]
  blocks: ModelBlock[]
  /** Those of messages that are gone too. */
  messageIds: string[]
  /** Those of people who were reported. */
  subjectIds: string[]
  /** Plates that several people register. */
  contested: string[]
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

/** Starts what the runs need: the whole server, a mail server, a push service, and an admin. */
export async function openHarness() {
  const [inbox, service] = await Promise.all([startSmtpInbox(), startFakePushService()])
  const app: TestApp = await testApp({
    settings: {
      SMTP_URL: inbox.url,
      PUSH_HOSTS: service.origin,
      TRUST_PROXY: '127.0.0.1',
      AUTH_AUTOCONFIRM: 'false',
    },
  })
  const secrets = new Secrets()
  /** What was read and should not have been, since it was last taken. */
  let leaks: string[] = []
  /** Who was shown what: the secrets that were found where they belong. */
  const shown = new Set<string>()
  const inspect = (reader: string, source: string, text: string) => {
    leaks.push(...secrets.leaks(reader, source, text))
    for (const { what } of secrets.found(text)) shown.add(`${what} in ${source.replace(/^mail .*/, 'mail')}`)
  }
  const context = { app, inbox, service, secrets, inspect, shown }
  const admin = await signUpPerson(context, 'admin')
  await grantAdmin(app.db, admin.email)

  /** Who reads the emails to an address, also after they have left. */
  const keyByAddress = new Map([
    [admin.email, admin.key],
    ['support@platenote.ca', 'support'],
  ])
  let peopleCount = 0
  const signUp = async (): Promise<ModelPerson> => {
    const person = await signUpPerson(context, `person ${++peopleCount}`)
    keyByAddress.set(person.email, person.key)
    // what the lists of an admin show; their mails and devices show none of it
    for (const value of [person.words.email, person.words.name, person.id]) secrets.reveal(value, admin.key)
    return person
  }

  const readers = (model: Model) => [...model.people, admin]
  let mailsRead = 0
  const readMails = (model: Model) => {
    for (const mail of inbox.received.slice(mailsRead)) {
      mailsRead++
      const key = keyByAddress.get(mail.to) ?? `whoever has ${mail.to}`
      inspect(key, `mail "${mail.parsed.subject}"`, mailAsRead(mail))
      for (const token of linkTokens(mail)) if (!secrets.has(token)) secrets.add('token of a link', token, key)
      for (const [path, token] of mailAsRead(mail).matchAll(/\/unsubscribe\/([\w-]{43})/g)) {
        if (!secrets.has(token!)) secrets.add('token for unsubscribing', token!, key)
        readers(model)
          .find((reader) => reader.key === key)
          ?.mailedPaths.add(path)
      }
    }
  }
  const readDevices = (model: Model) => {
    for (const { key, browsers } of readers(model))
      for (const browser of browsers)
        for (const push of browser.taken().splice(0))
          inspect(key, 'push', `${push.text} ${JSON.stringify(push.headers)}`)
  }
  const readStreams = (model: Model) => {
    for (const { key, streams } of readers(model))
      for (const stream of streams) {
        // what came before was inspected then, when its reader might know more than now
        inspect(key, 'live', stream.raw().slice(stream.inspected) + JSON.stringify([...stream.headers]))
        stream.inspected = stream.raw().lastIndexOf('\n\n') + 1
      }
  }

  return {
    ...context,
    admin,
    signUp,
    async newModel(): Promise<Model> {
      const people = await Promise.all(Array.from({ length: PEOPLE }, signUp))
      return {
        people,
        vehicles: [],
        messages: [],
        blocks: [],
        messageIds: [],
        subjectIds: [],
        contested: [newPlate(), newPlate()],
      }
    },
    /** Waits until everything that was caused has arrived: emails, pushes, live events. */
    async settle(model: Model): Promise<void> {
      await eventually(async () => {
        await app.db`update digests set next_at = now() where lease_token is null`
        await app.db`update outbox set run_at = now() where sent_at is null and failed_at is null and lease_token is null`
        app.context.outbox.wake()
        const [waiting] = await app.db<{ count: number }[]>`
          select (
            (select count(*) from auth.link_request_queue)
            + (select count(*) from outbox where sent_at is null and failed_at is null)
            + (select count(*) from message_steps where due_at <= now())
            + (select count(*) from push_subscriptions s join notification_counters c using (user_id)
              where s.pushed_number < c.last_number or s.lease_token is not null)
          )::int as count`
        return waiting!.count === 0 ? true : undefined
      })
      await Promise.all(readers(model).map(untilStreamed))
    },
    /** Reads everything everybody can get, and returns what they may not know. */
    async readEverything(model: Model): Promise<string[]> {
      readMails(model)
      readDevices(model)
      readStreams(model)
      const inbox = (await admin.calls.get('/api/admin/inbox?limit=100&kind=dispute')).body.items as { id: string }[]
      const known = { ...model, disputeIds: inbox.map(({ id }) => id) }
      await everythingRead(app, secrets, readers(model), known, admin)
      const found = [...new Set(leaks)]
      leaks = []
      return found
    },
    async leave(model: Model): Promise<void> {
      await Promise.all(readers(model).map(closeStreams))
    },
    async close() {
      await closeStreams(admin)
      await app.close()
      await Promise.all([inbox.close(), service.close()])
    },
  }
}

let plates = 0
/** Returns a plate nobody has: its key, by which it is matched. */
export const newPlate = (): string => `PL${String(++plates).padStart(5, '0')}`

/** Returns a plate as one person writes it; each of them puts the hyphen somewhere else. */
export const spelledBy = (person: number, plateKey: string): string =>
  `${plateKey.slice(0, person + 1)}-${plateKey.slice(person + 1)}`

type Read = {
  'x-audience'?: string
  parameters: { name: string }[]
  responses: Record<string, { content?: object }>
}
type Document = { paths: Record<string, { get?: Read }> }

/** How the addresses with a parameter are called: with everything the model knows. A new one needs its line here. */
const PARAMETERS: Record<string, (known: Known) => string[]> = {
  '/api/vehicles/{id}/documents': ({ vehicles }) => vehicles.map(({ id }) => `/api/vehicles/${id}/documents`),
  '/api/vehicles/{id}/people': ({ vehicles }) => vehicles.map(({ id }) => `/api/vehicles/${id}/people`),
  '/api/vehicles/{id}/tag': ({ vehicles }) => vehicles.map(({ id }) => `/api/vehicles/${id}/tag`),
  '/api/messages/{id}/collision': ({ messageIds }) => messageIds.map((id) => `/api/messages/${id}/collision`),
  '/api/messages/{id}': ({ messageIds }) => messageIds.map((id) => `/api/messages/${id}`),
  '/api/receipts/{receipt}': () => [], // only guests have one, and nobody of the model is one
  '/api/admin/disputes/{id}': ({ disputeIds }) => disputeIds.map((id) => `/api/admin/disputes/${id}`),
  '/api/admin/people/{id}': ({ subjectIds }) => subjectIds.map((id) => `/api/admin/people/${id}`),
  '/api/admin/users/{id}': ({ people }) => people.map(({ id }) => `/api/admin/users/${id}`),
  '/api/admin/users/{id}/events': ({ people }) => people.map(({ id }) => `/api/admin/users/${id}/events`),
}
type Known = {
  messageIds: string[]
  people: ModelPerson[]
  vehicles: { id: string }[]
  subjectIds: string[]
  disputeIds: string[]
}
/** Reads that show more when asked for it, or are left out. */
const VARIANTS: Record<string, string[]> = {
  '/api/messages': ['/api/messages?limit=100&view=received', '/api/messages?limit=100&view=sent'],
  '/readyz': [], // 503 while so many reads keep a busy machine
}
/** One at a time for each person, and a few in all. */
const EXPORT = '/api/export'

/** Reads everything each of the people can get by reading: all pages of all lists, whatever the address is called. */
async function everythingRead(
  app: TestApp,
  secrets: Secrets,
  people: ModelPerson[],
  known: Known,
  admin: ModelPerson,
): Promise<void> {
  const { paths } = (await app.visitor.get('/openapi.json')).body as Document
  const reads = Object.entries(paths).flatMap(([path, { get }]) => {
    const isJson = 'application/json' in (get?.responses['200']?.content ?? {}) // a live stream would not end
    return get && isJson && path !== EXPORT && !path.startsWith('/auth/') ? [{ path, ...get }] : []
  })
  await Promise.all(
    people.map(async (who) => {
      const own = reads.filter((read) => read['x-audience'] !== 'admin' || who === admin)
      const addresses = own.flatMap((read) => addressesOf(read, known))
      await Promise.all(['/auth/v1/user', ...who.mailedPaths, ...addresses].map((path) => readAllPages(who, path)))
      if (who === admin) await who.calls.post('/rest/v1/rpc/get_users', { limit: 100 })
      const { body } = await who.calls.get('/api/notifications?limit=100')
      for (const { id } of body.items as { id: string }[])
        if (!secrets.has(id)) secrets.add('notification id', id, who.key)
    }),
  )
  for (const who of people) {
    const exported = await who.calls.get(EXPORT)
    assert.equal(exported.status, 200, exported.text)
  }
}

function addressesOf({ path, parameters }: Read & { path: string }, known: Known): string[] {
  if (path.includes('{')) {
    return PARAMETERS[path]?.(known) ?? assert.fail(`the test does not know how to read ${path}: see PARAMETERS`)
  }
  const isList = parameters.some(({ name }) => name === 'limit')
  return VARIANTS[path] ?? [isList ? `${path}?limit=100` : path]
}

/** Reads an address, and the next pages if it is a list. */
async function readAllPages(who: ModelPerson, path: string): Promise<void> {
  for (let next: string | null = path; next !== null; ) {
    const { body } = await who.calls.get(next)
    const cursor: string | null = body?.next ?? null
    next = cursor && `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
  }
}
