import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, type TestContext, test } from 'node:test'
import { type Caller, createCaller, newEmail, PASSWORD, type Person, type TestResponse, testApp } from '../test/app.ts'
import { beforeEachHere } from '../test/closing.ts'
import { openTestPool } from '../test/database.ts'
import { createAdmin } from '../test/disputes.ts'
import { startDispute } from '../test/documents.ts'
import { openStream } from '../test/event-stream.ts'
import { currentCode, forgetUsedCodes, withFactor } from '../test/factors.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { holdLocks } from '../test/locks.ts'
import { personOf } from '../test/sanctions.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { newGuest } from '../test/tags.ts'
import { uploadDocument, uploadImage } from '../test/upload.ts'
import { LIMITS, type Limit } from './limits.ts'

// Every refusal for too many says when to try again. People are made with raised limits (`app`), and refused by the real ones:
// `limited` counts in the database, `small` has a tenth of what a process allows, `busy` is half full with two calls.

const service = await startFakePushService()
const settings = { TRUST_PROXY: '127.0.0.1', PUSH_HOSTS: service.origin }
const app = await testApp({ settings })
const limited = await testApp({ sibling: app, settings: { ...settings, LIMIT_SCALE: '1', ROLE: 'web' } })
const startWith = (changes: object) =>
  startSiblingServer({ ...limited.context, config: { ...limited.config, ...changes } })
const small = await startWith({ LIMIT_SCALE: 0.1 })
const busy = await startWith({ LIMIT_SCALE: 0.1, MAX_CONCURRENT_CALLS: 4 })
const locks = openTestPool(app.database.connection, 1)
const { db } = app
after(async () => {
  await locks.end()
  await busy.close()
  await small.close()
  await service.close()
})
beforeEachHere(() => db`delete from rate_counters`)

const owner = await app.user()
const { id: vehicleId, plate } = await app.vehicle(owner)
const { body: tag } = await owner.post(`/api/vehicles/${vehicleId}/tag`)
const send = (who: Caller, to = plate, headers = {}) =>
  who.post('/api/messages', { plate: to, content: 'Your lights are on' }, headers)

type Answer = { status: number; headers: Headers }
type Call = () => Promise<TestResponse>
/** Goes over a limit. Returns the refusal, and the least seconds that it can say. */
type Provoke = (t: TestContext, limit: Limit) => Promise<{ refusal: Answer; leastS: number }>
type CountedOptions = { times?: number; agedS?: number; keep?: RegExp }

/**
 * Makes a call, then fills up the counts whose key is like this, and makes it again.
 *
 * @param prepare returns the call
 * @param times how often it is made before, where a limit lets everybody have a few
 * @param agedS how long ago that was, so that no shorter limit with the same key refuses it
 * @param keep the keys of counts that are needed besides, and not filled up
 */
const counted =
  (key: RegExp, prepare: () => Promise<Call>, { times = 1, agedS = 0, keep = key }: CountedOptions = {}): Provoke =>
  async (_, { max, windowS }) => {
    const call = await prepare()
    for (let i = 0; i < times; i++) assert.notEqual((await call()).status, 429)
    const { count } = await db`update rate_counters set count = ${max} where key ~ ${key.source}`
    assert.ok(count > 0, 'the call is counted')
    await db`delete from rate_counters where key !~ ${key.source} and key !~ ${keep.source}`
    await db`update rate_counters set window_start = window_start - make_interval(secs => ${agedS})`
    return { refusal: await call(), leastS: (windowS! - agedS) * 0.9 }
  }

/** Makes a call as often as `small` allows it, and once more. */
const repeated =
  (prepare: () => Promise<Call>): Provoke =>
  async (_, { max }) => {
    const call = await prepare()
    for (let i = 0; i < max / 10; i++) assert.notEqual((await call()).status, 429)
    return { refusal: await call(), leastS: 1 }
  }

/** Makes one call more at a time than are allowed, while a lock on a table holds them up. */
const held =
  (table: string, allowed: number, prepare: () => Promise<() => Promise<Answer>>): Provoke =>
  async (t) => {
    const call = await prepare()
    const letGo = await holdLocks(t, locks, (tx) => tx.unsafe(`lock table ${table} in access exclusive mode`))
    const calls = Array.from({ length: allowed + 1 }, call)
    const refusal = await Promise.race(calls)
    await letGo()
    const answers = await Promise.all(calls)
    assert.equal(answers.filter(({ status }) => status === 429).length, 1)
    return { refusal, leastS: 1 }
  }

const as = (person: Person, url = limited.url): Person => ({ ...person, ...createCaller(url, person.token) })
/** Prepares a call of somebody who has never called before. */
const by =
  (call: (who: Person) => Promise<TestResponse>, url = limited.url) =>
  async (): Promise<Call> => {
    const who = as(await app.user({ aged: true }), url)
    return () => call(who)
  }
/** Prepares a call of a newcomer from a network nobody else has. */
const byNewcomer = (call: (who: Person, from: object) => Promise<TestResponse>) => async (): Promise<Call> => {
  const [who, from] = [as(await app.user()), newGuest()]
  return () => call(who, from)
}
/** Prepares a call without an account: always from one network, or each time from another one. */
const visit =
  (call: (visitor: Caller, from: Record<string, string>) => Promise<TestResponse>, url = limited.url, moves = false) =>
  async (): Promise<Call> => {
    const [visitor, from] = [createCaller(url), newGuest()]
    return () => call(visitor, moves ? newGuest() : from)
  }

const leave = (visitor: Caller, from: Record<string, string>) =>
  visitor.post(`/t/${tag.token}`, new URLSearchParams({ plate_end: plate.slice(-3), reason: 'lights_on' }), from)
const signUp = (visitor: Caller, from: Record<string, string>) =>
  visitor.post('/auth/v1/signup', { email: newEmail(), password: PASSWORD }, from)
const contact = (visitor: Caller, from: Record<string, string>) => {
  const form = { type: 'contact', name: 'Zoé', email: newEmail(), subject: 'technical-support', message: 'Help' }
  return visitor.post('/send-email', form, from)
}
const openAnswerLink = (visitor: Caller, from: Record<string, string>) =>
  visitor.post('/answer', 'token=x', { ...from, 'content-type': 'application/x-www-form-urlencoded' })
const guessEmailedCode = (visitor: Caller, from: Record<string, string>) =>
  visitor.post('/auth/v1/verify', { type: 'email', email: owner.email, token: '000000' }, from)
const recover = () => {
  const email = newEmail()
  return (visitor: Caller, from: Record<string, string>) => visitor.post('/auth/v1/recover', { email }, from)
}
/** Prepares wrong codes, of a person with an authenticator app. */
const guessCode = async (): Promise<Call> => {
  const person = await withFactor(app, await app.user())
  const who = as(await app.signIn(person.email, person.password))
  return async () => {
    const { body } = await who.post(`/auth/v1/factors/${person.factorId}/challenge`)
    await forgetUsedCodes(app)
    const code = currentCode(person.secret) === '000000' ? '000001' : '000000'
    return who.post(`/auth/v1/factors/${person.factorId}/verify`, { challenge_id: body.id, code })
  }
}
const prepareSanctioned = async (): Promise<Call> => {
  const person = await app.user({ aged: true })
  const subject = await personOf(await createAdmin(app), person)
  await db`insert into sanctions (id, subject_id, kind) values (${randomUUID()}, ${subject}, 'limit')`
  return () => send(as(person))
}
const prepareDocument = (url: string) => async () => {
  const { challenger, vehicles } = await startDispute(app, `DOC${Math.random().toString(36).slice(2, 7).toUpperCase()}`)
  return () => uploadDocument(as(challenger, url), vehicles.challenger.id, Buffer.from('%PDF-1.7 cut'))
}
const prepareReport = async (): Promise<Call> => {
  const { body: message } = await send(await app.user())
  return () => as(owner).post(`/api/messages/${message.id}/report`, { reason: 'spam' })
}
const preparePushTest = async (): Promise<Call> => {
  const [person, { endpoint, keys }] = [await app.user(), service.browser()]
  assert.equal((await person.post('/api/push/subscriptions', { endpoint, keys })).status, 204)
  return () => as(person).post('/api/push/test')
}
const search = (who: Person) => who.post('/api/messages/search', { text: 'lights', view: 'received' })
const upload = (who: Person) => uploadImage(who, Buffer.from('no image'))
const listVehicles = (who: Person) => who.get('/api/vehicles')
const signIn = (visitor: Caller, from: Record<string, string>) =>
  visitor.post('/auth/v1/token?grant_type=password', { email: owner.email, password: 'wrong' }, from)

const SENT = /^send:[^:]+$/
const MISSED = /^send:.*:miss$/
const PAIR = /^pair:/
const HOUR_AND_MORE = { agedS: 4_000 }
const miss = (who: Person, from?: object) => send(who, 'NOBODY1', from)
const reach = (who: Person, from?: object) => send(who, plate, from)

/** How each limit is gone over; or why nobody is refused with 429 there. */
const PROVOCATIONS: Record<keyof typeof LIMITS, Provoke | string> = {
  messagesPerHour: counted(SENT, by(reach)),
  messagesPerDay: counted(SENT, by(reach), HOUR_AND_MORE),
  sanctionedMessagesPerDay: counted(SENT, prepareSanctioned, HOUR_AND_MORE),
  unansweredPerDay: counted(PAIR, by(reach)),
  unansweredPerMonth: counted(PAIR, by(reach), { agedS: 2 * 86_400 }),
  missesPerHour: counted(MISSED, by(miss)),
  missesPerDay: counted(MISSED, by(miss), HOUR_AND_MORE),
  networkMissesPerDay: counted(/^send-network-miss:/, byNewcomer(miss), { times: 3, keep: MISSED }),
  networkNewAccountMessagesPerDay: counted(/^send-network-first-day:/, byNewcomer(reach), { times: 5, keep: SENT }),
  noteTriesPerHour: counted(
    /^note:/,
    visit((visitor, from) =>
      visitor.post('/n', new URLSearchParams({ code: '1234 5678 9012', plate: 'NOBODY' }), from),
    ),
  ),
  wrongNoteTries: 'the note is locked, which is answered as a wrong code is: it tells nobody that there is a note',
  answerLinkCallsPerNetwork: counted(/^answer-links:/, visit(openAnswerLink)),
  answerLinkCalls: counted(/^answer-link:/, visit(openAnswerLink, limited.url, true)),
  concurrentCalls: held('vehicles', 6, by(listVehicles, small.url)),
  concurrentCallsWhenFull: held('vehicles', 2, by(listVehicles, busy.url)),
  concurrentSignIns: held('rate_counters', 3, visit(signUp, small.url)),
  concurrentSends: held('rate_counters', 1, by(reach, small.url)),
  tagMessagesPerHour: 'answered like a wrong plate: a guest learns nothing about what others left',
  tagMessagesPerDay: 'answered like a wrong plate: a guest learns nothing about what others left',
  tagWrongTries: 'the tag sleeps, which is answered like a wrong plate',
  tagTriesPerHour: counted(/^tag-try:/, visit(leave)),
  guestMessagesPerDevice: counted(/^guest-device:/, visit(leave)),
  guestMessagesPerNetwork: counted(/^guest-network:/, visit(leave)),
  guestFailures: 'a computation of the browser is asked for, and nobody has to wait',
  searchesPerHour: counted(/^search:/, by(search)),
  concurrentSearches: held('rate_counters', 1, by(search, small.url)),
  reportsPerDay: counted(/^report:/, prepareReport),
  uploadsPerDay: counted(/^upload:/, by(upload)),
  concurrentUploads: held('rate_counters', 1, by(upload, small.url)),
  documentsPerDay: counted(/^documents:/, prepareDocument(limited.url)),
  concurrentDocuments: held('rate_counters', 1, prepareDocument(small.url)),
  registrationsPerDay: counted(
    /^register:/,
    by((who) =>
      who.post('/register-plate', {
        plate,
        make: 'Honda',
        model: 'Civic',
        registration_year: 2020,
        province: 'Quebec',
      }),
    ),
  ),
  invitationsPerDay: counted(/^invite:/, async () => () => as(owner).post(`/api/vehicles/${vehicleId}/invitations`)),
  invitationCodesPerHour: counted(
    /^invitation code:/,
    by((who) => who.post('/api/invitations/accept', { code: 'ABCD-2345' })),
  ),
  driversPerVehicle: '409 vehicle_full: waiting does not help',
  vehiclesPerUser: '409 too_many_vehicles: waiting does not help',
  emailChangesPerDay: counted(
    /^email-change:/,
    by((who) => who.post('/api/email-change', { email: newEmail() })),
  ),
  failedSignIns: counted(/^sign-in:/, visit(signIn)),
  failedSignInsPerAccount: 'the attempt waits for three seconds: nobody is locked out of an account',
  failedCodes: counted(/^factor-code:[^:]+$/, guessCode, { keep: /^factor-network:/ }),
  failedCodesPerDay: counted(/^factor-code:.*:day$/, guessCode, { keep: /^factor-network:/ }),
  emailedCodeTries: 'the code is spent, which is answered as a wrong one is',
  wrongEmailedCodesPerDay: counted(/^code:/, visit(guessEmailedCode, limited.url, true)),
  wrongEmailedCodesPerHour: counted(/^code-network:/, visit(guessEmailedCode)),
  signUps: counted(/^sign-up:/, visit(signUp)),
  contactMessages: counted(/^contact:/, visit(contact)),
  allSignUps: counted(/^ceiling:allSignUps/, visit(signUp, limited.url, true)),
  allAccountMails: counted(/^ceiling:allAccountMails/, visit(recover(), limited.url, true)),
  allContactMessages: counted(/^ceiling:allContactMessages/, visit(contact, limited.url, true)),
  accountMails: counted(/^recover-mail:/, visit(recover())),
  accountMailsPerAddress: counted(/^recover-mail:/, visit(recover(), limited.url, true)),
  exportsPerHour: counted(
    /^export:/,
    by((who) => who.get('/api/export')),
  ),
  pushTestsPerHour: counted(/^push-test:/, preparePushTest),
  pushSubscriptions: 'one more device replaces the oldest',
  liveStreams: async () => {
    const { token } = await app.user()
    const streams = await Promise.all([1, 2].map(() => openStream(small.url, token)))
    await Promise.all(streams.map((stream) => stream.close()))
    return { refusal: streams.find(({ status }) => status !== 200)!, leastS: 1 }
  },
  anonymousRequests: repeated(visit((visitor, from) => visitor.get('/api/vehicles', from), small.url)),
  userRequests: repeated(by((who) => who.get('/api/notifications/unread-count'), small.url)),
  tokenRequests: repeated(
    visit((visitor, from) => visitor.post('/auth/v1/token?grant_type=password', {}, from), small.url),
  ),
  refreshRequests: repeated(
    visit((visitor, from) => visitor.post('/auth/v1/token?grant_type=refresh_token', {}, from), small.url),
  ),
  sessionRequests: repeated(visit((visitor, from) => visitor.post('/auth/v1/session', {}, from), small.url)),
  verifyRequests: repeated(
    visit((visitor, from) => visitor.get('/auth/v1/verify?token=x&type=signup', from), small.url),
  ),
  accountRequests: repeated(visit((visitor, from) => visitor.post('/auth/v1/recover', {}, from), small.url)),
}

for (const [name, provoke] of Object.entries(PROVOCATIONS)) {
  if (typeof provoke === 'string') continue
  test(`${name} refuses with 429 and says when to try again`, async (t) => {
    const limit: Limit = LIMITS[name as keyof typeof LIMITS]
    const { refusal, leastS } = await provoke(t, limit)
    assert.equal(refusal.status, 429)
    const seconds = refusal.headers.get('retry-after') ?? 'no Retry-After'
    assert.match(seconds, /^\d+$/)
    // a window slides by a sixtieth at a time
    const mostS = limit.windowS === null ? 60 : (limit.windowS * 61) / 60 + 1
    assert.ok(Number(seconds) >= leastS && Number(seconds) <= mostS, seconds)
  })
}
