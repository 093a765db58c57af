import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'

const app = await testApp()

const DEFAULTS = {
  ...{ locale: 'en', email_messages: true, email_message_text: true, email_answers: true },
  ...{ quiet_from: null, quiet_until: null, time_zone: 'America/Toronto' },
}

test('a new person gets emails with the text of messages, in the language of the sign-up', async () => {
  for (const locale of ['en', 'fr-CA'])
    assert.deepEqual((await (await app.user({ locale })).get('/api/preferences')).body, { ...DEFAULTS, locale })
})

test('each preference changes by itself, and is kept', async () => {
  const person = await app.user()
  const expected = { ...DEFAULTS }
  for (const change of [
    { locale: 'fr-CA' },
    { email_messages: false },
    { email_message_text: false },
    { email_answers: false },
    {},
  ]) {
    Object.assign(expected, change)
    assert.deepEqual((await person.patch('/api/preferences', change)).body, expected)
    assert.deepEqual((await person.get('/api/preferences')).body, expected)
  }
})

test('a person without a row has the defaults, and can change them', async () => {
  const person = await app.user()
  await app.db`delete from preferences where user_id = ${person.id}`
  assert.deepEqual((await person.get('/api/preferences')).body, DEFAULTS)
  const { body } = await person.patch('/api/preferences', { email_messages: false })
  assert.deepEqual(body, { ...DEFAULTS, email_messages: false })
})

test('quiet hours are set with their zone, kept when something else changes, and taken back', async () => {
  const person = await app.user()
  const quiet = { quiet_from: '22:30', quiet_until: '07:00', time_zone: 'America/St_Johns' }
  assert.deepEqual((await person.patch('/api/preferences', quiet)).body, { ...DEFAULTS, ...quiet })
  await person.patch('/api/preferences', { locale: 'fr-CA' })
  const { body: moved } = await person.patch('/api/preferences', { time_zone: 'Asia/Kolkata' })
  assert.deepEqual([moved.quiet_from, moved.quiet_until, moved.time_zone], ['22:30', '07:00', 'Asia/Kolkata'])
  await person.patch('/api/preferences', { quiet_from: '00:00', quiet_until: '23:59' })
  const { body: none } = await person.patch('/api/preferences', { quiet_from: null, quiet_until: null })
  assert.deepEqual([none.quiet_from, none.quiet_until, none.time_zone], [null, null, 'Asia/Kolkata'])
  assert.deepEqual((await person.get('/api/preferences')).body, none)
})

test('quiet hours that end when they begin are refused, and the text says so', async () => {
  const person = await app.user()
  const { status, body } = await person.patch('/api/preferences', { quiet_from: '22:00', quiet_until: '22:00' })
  assert.equal(status, 400)
  assert.deepEqual(body.fields, { quiet_until: 'Quiet hours cannot end at the time they begin.' })
})

const malformed: [change: object, field: string][] = [
  [{ locale: 'fr' }, 'locale'],
  [{ quiet_from: '22:00' }, 'quiet_until'],
  [{ quiet_until: '07:00' }, 'quiet_until'],
  [{ quiet_from: '22:00', quiet_until: null }, 'quiet_until'],
  [{ quiet_from: '24:00', quiet_until: '07:00' }, 'quiet_from'],
  [{ quiet_from: '22:00', quiet_until: '7:00' }, 'quiet_until'],
  [{ time_zone: 'Eastern' }, 'time_zone'],
  [{ time_zone: '+05:00' }, 'time_zone'],
  [{ time_zone: 'America/Toronto; drop' }, 'time_zone'],
]

test('what is no language, time or zone is refused, and nothing changes', async () => {
  const person = await app.user()
  for (const [change, field] of malformed) {
    const { status, body } = await person.patch('/api/preferences', change)
    assert.deepEqual([status, Object.keys(body.fields)], [400, [field]], JSON.stringify(change))
  }
  assert.deepEqual((await person.get('/api/preferences')).body, DEFAULTS)
})

const ONE_CLICK = 'List-Unsubscribe=One-Click'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const sender = await app.user()

/** Has a message emailed to somebody, and returns the path of the unsubscribe link. */
async function getUnsubscribeLink(owner: Person): Promise<{ path: string }> {
  const { plate } = await app.vehicle(owner)
  assert.equal((await sender.post('/api/messages', { plate, content: 'hello' })).status, 201)
  const [mail] = await app.mails(owner.email)
  const [row] = await app.db<
    { headers: Record<string, string> }[]
  >`select headers from captured_mails where id = ${mail!.id}`
  const [, path] = /^<http:\/\/platenote\.test(\/unsubscribe\/\S+)>$/.exec(row!.headers['List-Unsubscribe'] ?? '') ?? []
  assert.ok(path, 'the header has the link')
  return { path }
}
const wantsMessageMails = async (who: Person) => (await who.get('/api/preferences')).body.email_messages

test('one click in a mail program, without a session, turns these emails off and changes nothing else', async () => {
  const owner = await app.user()
  const { body: before } = await owner.patch('/api/preferences', { email_message_text: false })
  const { path } = await getUnsubscribeLink(owner)
  const response = await app.visitor.post(path, ONE_CLICK, FORM)
  assert.equal(response.status, 200)
  assert.deepEqual((await owner.get('/api/preferences')).body, { ...before, email_messages: false })
  // again, and in the other forms that mail programs post
  assert.equal((await app.visitor.post(path, ONE_CLICK, FORM)).status, 200)
  const form = new FormData()
  form.append('List-Unsubscribe', 'One-Click')
  assert.equal((await app.visitor.post(path, form)).status, 200)
  assert.equal((await app.visitor.post(path)).status, 200)
  // turned on again in the profile: the link works again
  await owner.patch('/api/preferences', { email_messages: true })
  await app.visitor.post(path, ONE_CLICK, FORM)
  assert.equal(await wantsMessageMails(owner), false)
})

test('opening the link asks for confirmation, in the owner’s language, and changes nothing: scanners open every link', async () => {
  const owner = await app.user({ locale: 'fr-CA' })
  const { path } = await getUnsubscribeLink(owner)
  const { status, text, headers } = await app.visitor.get(path, { 'accept-language': 'en' })
  assert.equal(status, 200)
  assert.match(text, /<html lang="fr-CA"[\s\S]*<h1>Ne plus recevoir de courriels/)
  assert.match(text, /<form method="post">[\s\S]*<button>Ne plus recevoir ces courriels<\/button>/)
  assert.match(text, /href="http:\/\/platenote\.test\/fr\/dashboard\/profile\/notifications"/)
  assert.equal(await wantsMessageMails(owner), true)
  assert.equal((await fetch(app.url + path, { method: 'HEAD' })).status, 404)
  assert.equal(await wantsMessageMails(owner), true)

  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('x-robots-tag'), 'noindex')
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  assert.doesNotMatch(text, /<script|style=|<img|\son\w+=/)

  const done = await app.visitor.post(path, ONE_CLICK, FORM)
  assert.match(done.text, /<h1>Vous ne recevrez plus de courriels/)
  assert.match(done.text, /Les réactiver dans mon profil/)
})

test('every invalid token gets the same response, and changes nothing', async () => {
  const [owner, other] = [await app.user(), await app.user()]
  const { path } = await getUnsubscribeLink(owner)
  const { path: others } = await getUnsubscribeLink(other)
  const token = path.split('/').at(-1)!
  const bytes = Buffer.from(token, 'base64url')
  // somebody else's id with the MAC of one's own link
  const spliced = Buffer.concat([Buffer.from(other.id.replaceAll('-', ''), 'hex'), bytes.subarray(16)])
  const flipped = Buffer.from(bytes)
  flipped[31]! ^= 1
  const bad = [
    spliced.toString('base64url'),
    flipped.toString('base64url'),
    token.slice(0, -1),
    `${token}A`,
    'x',
    '%00',
    `${token.slice(0, 42)}%2F`,
    'a'.repeat(43),
  ]
  for (const one of bad) {
    for (const response of [
      await app.visitor.get(`/unsubscribe/${one}`),
      await app.visitor.post(`/unsubscribe/${one}`, ONE_CLICK, FORM),
    ]) {
      assert.equal(response.status, 404, one)
      assert.match(response.text, /<h1>This link doesn’t work<\/h1>/)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
  }
  const french = await app.visitor.get('/unsubscribe/x', { 'accept-language': 'fr-CA' })
  assert.match(french.text, /<h1>Ce lien ne fonctionne pas<\/h1>/)
  assert.deepEqual([await wantsMessageMails(owner), await wantsMessageMails(other)], [true, true])
  assert.notEqual(path, others)
})

test('a body that is too large is not read', async () => {
  assert.equal((await app.visitor.post('/unsubscribe/x', 'x'.repeat(10_000), FORM)).status, 413)
})

test('the link of a deleted account responds like any other', async () => {
  const owner = await app.user()
  const { path } = await getUnsubscribeLink(owner)
  assert.equal((await owner.post('/functions/v1/delete-user', { id: owner.id })).status, 200)
  for (const response of [await app.visitor.get(path), await app.visitor.post(path, ONE_CLICK, FORM)]) {
    assert.equal(response.status, 200)
  }
  assert.equal((await app.db`select from preferences where user_id = ${owner.id}`).length, 0)
})

test('the link outlives a change of JWT_SECRET, and is valid in every process', async () => {
  const owner = await app.user()
  const { path } = await getUnsubscribeLink(owner)
  await using beside = await testApp({
    sibling: app,
    settings: { JWT_SECRET: 'another-secret-of-32-characters-or-more', ROLE: 'web' },
  })
  assert.equal((await beside.visitor.post(path, ONE_CLICK, FORM)).status, 200)
  assert.equal(await wantsMessageMails(owner), false)
})
