import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { grantAdmin } from '../auth/admin-role.ts'
import { type Caller, PASSWORD, type TestResponse, testApp } from './app.ts'
import { CIVIC } from './disputes.ts'
import { openStream } from './event-stream.ts'
import { eventually } from './eventually.ts'
import { type FakeBrowser, startFakePushService } from './fake-push-service.ts'
import { decodeClaims } from './jwt.ts'
import { makeMailsDue } from './message-mail-harness.ts'
import { startSmtpInbox } from './smtp-inbox.ts'
import { drawPng, uploadImage } from './upload.ts'

// An owner, a sender, a driver, a rival for the plate, a stranger and an admin do what people do. After every step everything each
// of them can get is searched: all pages of all lists, the export, live events, emails, pushes, and the answers to what they did.
// Nobody may find a text, a plate, a name, an address or an id that is not meant for them.

/** What not everybody may read, and who may. */
type Secret = { what: string; value: string; knownTo: Set<string> }
const secrets = new Map<string, Secret>()
const leaks = new Set<string>()
/** Where secrets were found where they belong: the search is worth as much as this. */
const shown = new Set<string>()

/** Adds a secret, or more readers of one. */
function reveal(what: string, value: string, ...readers: { key: string }[]) {
  const secret = secrets.get(value) ?? { what, value, knownTo: new Set() }
  secrets.set(value, secret)
  for (const { key } of readers) secret.knownTo.add(key)
}
const hide = (value: string, ...readers: { key: string }[]) => {
  for (const { key } of readers) secrets.get(value)!.knownTo.delete(key)
}

/** Long enough that an encoded secret is found and short words are not decoded for nothing. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g

/** Searches what somebody reads: as it is written, and encoded as base64. */
function inspect(reader: string, source: string, text: string) {
  const decoded = (text.match(BASE64_RUN) ?? []).map((run) => Buffer.from(run, 'base64').toString('latin1')).join('\n')
  const all = `${text}\n${decoded}`.toLowerCase()
  for (const { what, value, knownTo } of secrets.values()) {
    const isThere =
      all.includes(value.toLowerCase()) ||
      (UUID.test(value) && decoded.includes(Buffer.from(value.replaceAll('-', ''), 'hex').toString('latin1')))
    if (!isThere) continue
    if (knownTo.has(reader))
      shown.add(`${what} in ${source.replace(/[0-9a-f-]{36}/, ':id').replace(/^mail .*/, 'mail')}`)
    else leaks.add(`${reader} reads in ${source}: ${what} (${value})`)
  }
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let words = 0
/** Makes a word that occurs nowhere else, and that no other contains. */
const newWord = () => `zq${(words++).toString(36).padStart(5, '0')}qz`

const [inbox, service] = await Promise.all([startSmtpInbox(), startFakePushService()])
const app = await testApp({
  settings: {
    SMTP_URL: inbox.url,
    PUSH_HOSTS: service.origin,
    TRUST_PROXY: '127.0.0.1',
    AUTH_AUTOCONFIRM: 'false',
  },
})
after(async () => {
  await Promise.all(everybody.map(({ stream }) => stream.close()))
  await Promise.all([inbox.close(), service.close()])
})

type Person = {
  key: string
  id: string
  email: string
  name: string
  /** The part of the address that is theirs alone. */
  word: string
  calls: Caller
  visitor: Caller
  device: FakeBrowser
  stream: Awaited<ReturnType<typeof openStream>>
  /** How much of the stream was searched already. */
  streamed: number
}
const everybody: Person[] = []

const linkTokens = (text: string) =>
  [...text.matchAll(/\/auth\/v1\/verify\?\S*?token=([\w-]{43})/g)].map(([, token]) => token!)

/** Signs somebody up by the link in the email, with a device and a page with live updates, and registers what is theirs alone. */
async function signUp(key: string, locale: string): Promise<Person> {
  const [name, word, browser] = [newWord(), newWord(), newWord()]
  const email = `${word}@example.com`
  const headers = { 'x-forwarded-for': `10.100.${100 + everybody.length}.123`, 'user-agent': browser }
  const me = { key }
  reveal('address', word, me)
  reveal('name', name, me)
  reveal('browser', browser, me)
  reveal('IP address', headers['x-forwarded-for'], me)
  /** Every response of these calls is searched. */
  const inspected = (calls: Caller): Caller => {
    const seen = async (source: string, response: Promise<TestResponse>) => {
      const answer = await response
      assert.ok(answer.status < 300 || answer.status === 404, `${source}: ${answer.status} ${answer.text}`)
      inspect(key, source, `${JSON.stringify([...answer.headers])} ${answer.text}`)
      return answer
    }
    return {
      get: (path, more) => seen(`GET ${path}`, calls.get(path, { ...headers, ...more })),
      post: (path, body, more) => seen(`POST ${path}`, calls.post(path, body, { ...headers, ...more })),
      patch: (path, body, more) => seen(`PATCH ${path}`, calls.patch(path, body, { ...headers, ...more })),
      put: (path, body, more) => seen(`PUT ${path}`, calls.put(path, body, { ...headers, ...more })),
      delete: (path, body, more) => seen(`DELETE ${path}`, calls.delete(path, body, { ...headers, ...more })),
    }
  }
  const visitor = inspected(app.visitor)
  await visitor.post('/auth/v1/signup', { email, password: PASSWORD, data: { full_name: name } })
  const [mail] = await inbox.to(email)
  const opened = await visitor.post('/auth/v1/verify', {
    type: 'signup',
    token_hash: linkTokens(mail!.parsed.text!)[0],
  })
  const token: string = opened.body.access_token
  reveal('account id', opened.body.user.id, me)
  reveal('session id', decodeClaims(token).session_id, me)
  const calls = inspected(app.withToken(token))
  const device = service.browser()
  reveal('address of a device', device.endpoint.split('/').at(-1)!, me)
  reveal('secret of a device', device.keys.auth, me)
  await calls.post('/api/push/subscriptions', { endpoint: device.endpoint, keys: device.keys })
  await calls.patch('/api/push', { message_text: true })
  await calls.patch('/api/preferences', { locale, email_message_text: true })
  const stream = await openStream(app.url, token)
  await stream.next(({ event }) => event === 'unread')
  const person = {
    ...me,
    id: opened.body.user.id as string,
    email,
    name,
    word,
    calls,
    visitor,
    device,
    stream,
    streamed: 0,
  }
  everybody.push(person)
  return person
}

/** Waits until everything that was caused has arrived: emails, pushes, live events. */
async function settle() {
  await eventually(async () => {
    await makeMailsDue(app.db)
    app.context.outbox.wake()
    const [waiting] = await app.db<{ count: number }[]>`
      select (
        (select count(*) from auth.link_request_queue)
        + (select count(*) from outbox where sent_at is null and failed_at is null)
        + (select count(*) from push_subscriptions s join notification_counters c using (user_id)
          where s.pushed_number < c.last_number or s.lease_token is not null)
      )::int as count`
    return waiting!.count === 0 || undefined
  })
  for (const { calls, stream } of everybody) {
    const [newest] = (await calls.get('/api/notifications?limit=1')).body.items
    if (newest) await eventually(async () => stream.raw().includes(newest.id) || undefined)
  }
}

type Read = { 'x-audience'?: string; parameters: { name: string }[]; responses: Record<string, { content?: object }> }

/** The vehicles, messages and cases of the story, whose addresses everybody tries. */
const things: Record<string, string[]> = { vehicles: [], messages: [], disputes: [], people: [], users: [] }

/** Returns how everybody reads an address of the contract. Fails for a new kind of parameter, which needs its line here. */
function addressesOf(path: string, { parameters }: Read): string[] {
  if (path === '/api/messages') return ['received', 'sent'].map((view) => `${path}?limit=100&view=${view}`)
  // only guests have a receipt; 503 while so many reads keep a busy machine; one at a time for each person
  if (['/api/receipts/{receipt}', '/readyz', '/api/export'].includes(path)) return []
  const [, thing] = /\/(\w+)\/\{id\}/.exec(path) ?? []
  if (path.includes('{'))
    return (things[thing!] ?? assert.fail(`${path} is not read`)).map((id) => path.replace('{id}', id))
  return [parameters.some(({ name }) => name === 'limit') ? `${path}?limit=100` : path]
}

const { paths } = (await app.visitor.get('/openapi.json')).body as { paths: Record<string, { get?: Read }> }
const reads = Object.entries(paths).flatMap(([path, { get }]) =>
  get && 'application/json' in (get.responses['200']?.content ?? {}) && !path.startsWith('/auth/')
    ? [{ path, get }]
    : [],
)
let mailsRead = 0

/** Reads everything everybody can get, and returns what they may not know. */
async function readEverything(admin: Person): Promise<string[]> {
  for (const { to, raw, parsed } of inbox.received.slice(mailsRead)) {
    mailsRead++
    const key = everybody.find(({ email }) => email === to)?.key ?? `whoever has ${to}`
    const text = [raw, parsed.subject, parsed.text, parsed.html, JSON.stringify(parsed.headers)].join('\n')
    inspect(key, `mail "${parsed.subject}"`, text)
    for (const token of linkTokens(text)) reveal('token of a link', token, { key })
    for (const [, token] of text.matchAll(/\/unsubscribe\/([\w-]{43})/g))
      reveal('token to unsubscribe', token!, { key })
  }
  for (const who of everybody) {
    for (const push of who.device.taken().splice(0))
      inspect(who.key, 'push', `${push.text} ${JSON.stringify(push.headers)}`)
    // what came before was inspected then, when its reader might know more than now
    inspect(who.key, 'live', who.stream.raw().slice(who.streamed) + JSON.stringify([...who.stream.headers]))
    who.streamed = who.stream.raw().lastIndexOf('\n\n') + 1
  }
  const cases = async (kind: string) => (await admin.calls.get(`/api/admin/inbox?kind=${kind}&limit=100`)).body.items
  things['disputes'] = (await cases('dispute')).map(({ id }: { id: string }) => id)
  things['people'] = (await cases('report')).map(({ subject_id }: { subject_id: string }) => subject_id)
  await Promise.all(
    everybody.map(async (who) => {
      const own = reads.filter(({ get }) => get['x-audience'] !== 'admin' || who === admin)
      const addresses = own.flatMap(({ path, get }) => addressesOf(path, get))
      await Promise.all(['/auth/v1/user', ...addresses].map((path) => who.calls.get(path)))
      for (const { id } of (await who.calls.get('/api/notifications?limit=100')).body.items)
        reveal('notification id', id, who)
    }),
  )
  await admin.calls.post('/rest/v1/rpc/get_users', { limit: 100 })
  for (const who of everybody) await who.calls.get('/api/export')
  const found = [...leaks]
  leaks.clear()
  return found
}

test('nobody can read anything but what is meant for them, whatever people do', async (t) => {
  const admin = await signUp('admin', 'en')
  await grantAdmin(app.db, admin.email)
  const owner = await signUp('owner', 'fr-CA')
  const sender = await signUp('sender', 'en')
  const driver = await signUp('driver', 'en')
  const rival = await signUp('rival', 'fr-CA')
  const stranger = await signUp('stranger', 'en')
  for (const { id, name, word } of everybody) {
    things['users']!.push(id)
    for (const value of [name, word, id]) reveal('', value, admin) // what the lists of an admin show
  }
  const step = (what: string, act: () => Promise<unknown>) =>
    t.test(what, async () => {
      await act()
      await settle()
      assert.deepEqual(await readEverything(admin), [])
    })

  /** Registers a plate. How its owner writes it is theirs, a person in front of a car knows the plate. */
  const register = async (who: Person, key: string, spelling: string) => {
    reveal('plate', key, who, admin)
    reveal('spelling of a plate', spelling, who, admin)
    const { id } = (await who.calls.post('/register-plate', { plate: spelling, ...CIVIC })).body.vehicle
    reveal('vehicle id', id, who, admin)
    things['vehicles']!.push(id)
    return id as string
  }
  /** Sends a message with a photo to the owner's plate, which these people get. Returns its id and what both sides may read. */
  const send = async (from: Person, readers: Person[]) => {
    reveal('plate', 'PLATE77', from)
    const { body: image } = await uploadImage(from.calls, await drawPng())
    const file: string = image.url.split('/').at(-1).replace('.webp', '')
    const [content, key, name] = [newWord(), `${newWord()}-key`, newWord()]
    reveal('image id', image.id, from)
    reveal('idempotency key', key, from)
    reveal('image name', file, from, ...readers)
    reveal('text of a message', content, from, ...readers)
    // a card is for the owner alone
    reveal('card of a collision', name, from, ...readers.filter((reader) => reader === owner))
    const card = {
      kind: 'hit',
      province: 'Ontario',
      particulars: { name, phone: '1', address: '12 Main Street' },
      photos: [],
    }
    const collision = { ...card, not_anonymous: true }
    const about = { reason: 'accident', collision, attachment_id: image.id }
    const message = { plate: 'plate77', content: `Hello ${content}`, ...about }
    const { id } = (await from.calls.post('/api/messages', message, { 'idempotency-key': key })).body
    reveal('message id', id, from, ...readers)
    things['messages']!.push(id)
    return { id: id as string, values: [id as string, content, file] }
  }
  const reply = async (by: Person, id: string, readers: Person[]) => {
    const word = newWord()
    reveal('text of a reply', word, by, ...readers)
    await by.calls.post(`/api/messages/${id}/reply`, { reply: `Thanks ${word}` })
    return word
  }

  const vehicle = await register(owner, 'PLATE77', 'PLAT-E77')
  await register(stranger, 'OTHER77', 'OTH-ER77')
  let first!: Awaited<ReturnType<typeof send>>
  let third!: Awaited<ReturnType<typeof send>>
  let driverId = ''
  await step('a message with a photo is answered; a driver joins, gets another one and answers it', async () => {
    first = await send(sender, [owner])
    await reply(owner, first.id, [sender])
    const { code } = (await owner.calls.post(`/api/vehicles/${vehicle}/invitations`)).body
    for (const [what, value] of [
      ['vehicle id', vehicle],
      ['plate', 'PLATE77'],
      ['spelling of a plate', 'PLAT-E77'],
    ] as const)
      reveal(what, value, driver)
    // those who share a vehicle read each other's names and addresses (decision vehicle-people)
    for (const [one, other] of [
      [owner, driver],
      [driver, owner],
    ] as const)
      for (const value of [one.name, one.word]) reveal('', value, other)
    await driver.calls.post('/api/invitations/accept', { code })
    const { items } = (await driver.calls.get(`/api/vehicles/${vehicle}/people`)).body
    driverId = items.find(({ is_me }: { is_me: boolean }) => is_me).id
    third = await send(stranger, [owner, driver])
    third.values.push(await reply(driver, third.id, [owner, stranger]))
  })
  await step('the driver leaves; a report, and a block behind which another message stays', async () => {
    await driver.calls.delete(`/api/vehicles/${vehicle}/people/${driverId}`)
    for (const value of [vehicle, 'PLATE77', 'PLAT-E77', owner.name, owner.word, ...third.values]) hide(value, driver)
    for (const value of [driver.name, driver.word]) hide(value, owner)
    const note = newWord()
    reveal('note to the moderators', note, owner)
    await owner.calls.post(`/api/messages/${first.id}/report`, { reason: 'harassment', note: `Again ${note}` })
    await owner.calls.post(`/api/messages/${first.id}/block`)
    await send(sender, [])
  })
  await step(
    'a dispute about the plate, a rejection and an approval; a message to the support team, links by email',
    async () => {
      const rejected = await register(rival, 'PLATE77', 'PL-ATE77')
      await register(stranger, 'PLATE77', 'P-LATE77')
      const reason = newWord()
      reveal('reason of a rejection', reason, admin, rival)
      await admin.calls.post(`/api/admin/vehicles/${rejected}/reject`, { reason: `Not readable ${reason}` })
      await admin.calls.post(`/api/admin/vehicles/${vehicle}/approve`)
      const [word, support] = [newWord(), { key: 'whoever has support@platenote.ca' }]
      reveal('text to the support team', word, sender, support)
      for (const value of [sender.name, sender.word]) reveal('', value, support)
      const form = { name: sender.name, email: sender.email, subject: 'general-inquiry', message: `A question ${word}` }
      await sender.calls.post('/send-email', { type: 'contact', ...form })
      await owner.visitor.post('/auth/v1/recover', { email: owner.email })
      await sender.visitor.post('/auth/v1/otp', { email: sender.email, create_user: false })
    },
  )
  await step('the sender deletes the account, and its messages stay without them', async () => {
    await sender.stream.close()
    everybody.splice(everybody.indexOf(sender), 1)
    await sender.calls.post('/functions/v1/delete-user', { id: sender.id })
    for (const value of [sender.name, sender.word]) hide(value, admin)
  })

  await t.test('it was searched for where people read it', () => {
    for (const expected of [
      ...['received', 'sent'].map((view) => `text of a message in GET /api/messages?limit=100&view=${view}`),
      ...['GET /api/messages/:id', 'GET /api/dashboard', 'GET /api/export', 'mail', 'push'].map(
        (where) => `text of a message in ${where}`,
      ),
      ...['GET /api/messages?limit=100&view=sent', 'mail', 'push'].map((where) => `text of a reply in ${where}`),
      ...['GET /api/sessions?limit=100', 'GET /api/export'].map((where) => `session id in ${where}`),
      ...['GET /api/messages/:id/collision', 'GET /api/export'].map((where) => `card of a collision in ${where}`),
      'message id in live',
      'image name in GET /api/messages?limit=100&view=received',
      'name in POST /rest/v1/rpc/get_users',
      'address in GET /api/admin/vehicles?limit=100',
    ])
      assert.ok(shown.has(expected), `${expected} was not looked at`)
  })

  await t.test('a vehicle whose messages somebody else can read is reported', async () => {
    await app.db`update vehicles set user_id = ${rival.id} where id = ${vehicle}`
    const found = (await readEverything(admin)).filter((leak) => /^rival .*: text of a message/.test(leak))
    const sources = new Set(found.map((leak) => /in (.*?): text/.exec(leak)![1]!.replace(/[0-9a-f-]{36}/, ':id')))
    assert.deepEqual([...sources].sort(), [
      'GET /api/dashboard',
      'GET /api/export',
      'GET /api/messages/:id',
      'GET /api/messages?limit=100&view=received',
    ])
  })
})
