import { grantAdmin } from '../../auth/admin-role.ts'
import { type TestApp, testApp } from '../app.ts'
import { eventually } from '../eventually.ts'
import { startFakePushService } from '../fake-push-service.ts'
import { startSmtpInbox } from '../smtp-inbox.ts'
import { everythingRead } from './observe.ts'
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
      await everythingRead(app, secrets, readers(model), model, admin)
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
