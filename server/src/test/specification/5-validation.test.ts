import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CONTACT_SUBJECTS } from '#contract/contact-subjects.ts'
import { extractAuthLink } from '../auth-links.ts'
import { CIVIC } from '../disputes.ts'
import { assertReads, list, register, registerPlate, send, sendTo } from './calls.ts'
import { NEXT_PASSWORD, PASSWORD, SUPPORT, signUpData, startWalk } from './walk.ts'

// Requirements §5, over HTTP. What only a form knows (the confirmation of a password, the checkbox, a disabled button) is checked in
// e2e.

const PLATE_FORMAT = '1 to 8 characters, no spaces'
const BOTH_FIELDS = 'Please fill out both fields.'
/** Zero-width spaces, a word joiner, a byte order mark and a Hangul filler: a text that nobody can see counts as empty. */
const BLANK = '\u200b\u200b \u2060 \n\ufeff\u3164'

const walk = await startWalk()
after(() => walk.close())
const [owner, sender] = [await walk.person(), await walk.person()]

test('sign-up: email, password and name are required', async () => {
  const visitor = walk.visitor()
  const { data } = signUpData('Sam Roy', 'en')
  const unnamed = { data: { ...data, full_name: BLANK }, email: 'new@example.com', password: PASSWORD }
  for (const body of [{ data, password: PASSWORD }, { data, email: 'new@example.com' }, {}, unnamed]) {
    const { status } = await visitor.post('/auth/v1/signup', body)
    assert.ok(status === 400 || status === 422, String(status))
  }
})

test('password: at least 8 characters with lowercase, uppercase, digit and symbol', async () => {
  const visitor = walk.visitor()
  const weaknesses = async (password: string) => {
    const { status, body } = await visitor.post('/auth/v1/signup', { email: 'weak@example.com', password })
    assert.equal(status, 422, password)
    assert.equal(body.error_code, 'weak_password')
    return body.weak_password.reasons
  }
  assert.deepEqual(await weaknesses('Qx7-vbn'), ['length'])
  assert.deepEqual(await weaknesses('Qx-'), ['length', 'characters'])
  for (const password of ['QUIETLY-57', 'quietly-57', 'Quietly-qu', 'Quietly057', 'Quiétly057']) {
    assert.deepEqual(await weaknesses(password), ['characters'])
  }
})

test('vehicle registration: the user must be signed in', async () => {
  await assertReads((headers) => registerPlate(walk.visitor(), 'RULES1', {}, headers), 401, 'You must be signed in.')
})

test('the plate is upper-cased and its whitespace removed', async () => {
  const { vehicle } = await register(owner, ' ru les\t1 ')
  assert.equal(vehicle.plate, 'RULES1')
})

test('the plate has at most 8 characters', async () => {
  assert.equal((await register(owner, 'EIGHT678')).vehicle.plate, 'EIGHT678')
  for (const plate of ['NINE56789', '', '   ']) {
    await assertReads((headers) => registerPlate(owner, plate, {}, headers), 400, PLATE_FORMAT)
  }
})

test('make, model, year, province required', async () => {
  for (const field of Object.keys(CIVIC)) {
    const { status, body } = await registerPlate(owner, 'RULES2', { [field]: undefined })
    assert.deepEqual([status, Object.keys(body.fields)], [400, [field]])
  }
})

test('a model belongs to its make', async () => {
  const { status, body } = await registerPlate(owner, 'RULES2', { model: 'Corolla' })
  assert.deepEqual([status, Object.keys(body.fields)], [400, ['model']])
})

test('years from 1980 to the current year', async () => {
  const thisYear = new Date().getFullYear()
  for (const registration_year of [1979, thisYear + 1]) {
    const { status, body } = await registerPlate(owner, 'RULES2', { registration_year })
    assert.deepEqual([status, Object.keys(body.fields)], [400, ['registration_year']])
  }
  await register(owner, 'RULES80', { registration_year: 1980 })
  await register(owner, 'RULESNOW', { registration_year: thisYear })
})

test('send form: plate and message required', async () => {
  for (const [plate, content] of [
    [undefined, 'Hello'],
    ['', 'Hello'],
    [BLANK, 'Hello'],
    ['RULES1', undefined],
    ['RULES1', BLANK],
    [undefined, undefined],
  ]) {
    await assertReads((headers) => sendTo(sender, plate, content, headers), 400, BOTH_FIELDS)
  }
})

test('a character that no plate has is refused, and named', async () => {
  for (const [plate, character] of [
    ['AB%12', '%'],
    ['AB_12', '_'],
    ['AB#12', '#'],
  ] as const) {
    await assertReads((headers) => sendTo(sender, plate, 'Hello', headers), 400, PLATE_FORMAT)
    const { body } = await sendTo(sender, plate, 'Hello')
    assert.ok(JSON.stringify(body.fields).includes(character), JSON.stringify(body))
  }
})

test('reply: only with text that is not blank', async () => {
  const id = await send(sender, 'EIGHT678', 'Hello')
  const reply = (headers: Record<string, string>) => owner.post(`/api/messages/${id}/reply`, { reply: BLANK }, headers)
  await assertReads(reply, 400, 'Please write a reply.')
})

test('profile: full name required', async () => {
  assert.equal((await sender.put('/auth/v1/user', { data: { full_name: BLANK } })).status, 400)
  assert.equal((await sender.get('/auth/v1/user')).body.user_metadata.full_name, sender.fullName)
})

test('profile: the email is read-only', async () => {
  const { status, body } = await sender.put('/auth/v1/user', { email: 'else@example.com' })
  assert.deepEqual([status, body.msg], [400, 'Email cannot be changed'])
  assert.equal((await sender.get('/auth/v1/user')).body.email, sender.email)
})

test('reset password: minimum 8, by a link that works once', async () => {
  await sender.post('/auth/v1/recover', { email: sender.email })
  const link = extractAuthLink(await walk.mail(sender.email, /password/i))
  const session = walk.withToken((await walk.open(link)).fragment['access_token']!)
  assert.equal((await session.put('/auth/v1/user', { password: 'Qx7-vbn' })).body.error_code, 'weak_password')
  assert.equal((await session.put('/auth/v1/user', { password: NEXT_PASSWORD })).status, 200)
  const { fragment } = await walk.open(link)
  assert.deepEqual([fragment['access_token'], fragment['error_code']], [undefined, 'otp_expired'])
})

test('contact: the subject is one of eight', async () => {
  assert.deepEqual(CONTACT_SUBJECTS, [
    'general-inquiry',
    'technical-support',
    'account-verification',
    'feedback-suggestions',
    'partnership',
    'report-problem',
    'media-press',
    'delete-account',
  ])
  for (const subject of [...CONTACT_SUBJECTS, 'other']) {
    const form = { type: 'contact', to: SUPPORT, name: 'Zoé', email: 'zoe@example.com', subject, message: 'Hello' }
    const who = subject === 'account-verification' ? owner : walk.visitor()
    assert.equal((await who.post('/send-email', form)).status, subject === 'other' ? 400 : 200, subject)
  }
})

test('reject: the reason must not be blank', async () => {
  const admin = await walk.admin()
  const [vehicle] = await list(owner, '/api/vehicles')
  for (const reason of [undefined, '', BLANK]) {
    const reject = (headers: Record<string, string>) =>
      admin.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason }, headers)
    await assertReads(reject, 400, 'Please give a reason.')
  }
  assert.equal((await list(owner, '/api/vehicles'))[0].status, 'active')
})
