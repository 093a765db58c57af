import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { createAdmin } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { accept, invite, peopleOf } from '../test/vehicle-people.ts'

// Addresses with letters beyond ASCII: in the domain, which mail servers know in its ASCII form; and before the @, where we cannot
// write to them.

const SERVICE_KEY = 'a-service-key-of-more-than-32-characters'
const inbox = await startSmtpInbox() // which reads the domain of a recipient back into its letters; `raw` is what it was sent
after(() => inbox.close())
const app = await testApp({ settings: { SMTP_URL: inbox.url, SERVICE_KEY, SUPPORT_EMAIL: 'aide@exämple.com' } })
const strict = await testApp({ settings: { SMTP_URL: inbox.url, AUTH_AUTOCONFIRM: 'false' } })

const ASCII_DOMAIN = 'xn--exmple-cua.com'
const UNWRITABLE = 'We cannot write to an address with letters such as é before the @.'
const UNWRITABLE_FRENCH = 'Nous ne pouvons pas écrire à une adresse qui a des lettres comme é avant le @.'
const FRENCH = { 'accept-language': 'fr' }

const token = '/auth/v1/token?grant_type=password'
let people = 0
const newNames = () => {
  const name = `person-${++people}`
  return { typed: `${name}@exämple.com`, stored: `${name}@${ASCII_DOMAIN}` }
}

/** Signs up with an address that confirms itself, and in. */
async function newPerson(typed: string): Promise<Person> {
  assert.equal((await app.visitor.post('/auth/v1/signup', { email: typed, password: PASSWORD })).status, 200)
  return app.signIn(typed, PASSWORD)
}

test('a sign-up is confirmed at the ASCII form of the address, and either form signs in', async () => {
  const { typed, stored } = newNames()
  const signedUp = await strict.visitor.post('/auth/v1/signup', { email: ` ${typed}. `, password: PASSWORD })
  assert.deepEqual([signedUp.status, signedUp.body.email], [200, stored])
  const [mail] = await inbox.to(typed)
  const link = /\/auth\/v1\/verify\?\S+/.exec(mail!.parsed.text ?? '')?.[0] ?? ''
  assert.match(mail!.raw, new RegExp(`^To: ${stored}`, 'm'))
  assert.equal(
    (await strict.visitor.post(token, { email: typed, password: PASSWORD })).body.error_code,
    'email_not_confirmed',
  )
  const opened = await strict.visitor.get(link.replaceAll('&amp;', '&'))
  const session = new URLSearchParams(new URL(opened.headers.get('location') ?? '').hash.slice(1))
  const linked = strict.withToken(session.get('access_token') ?? '')
  assert.equal((await linked.post('/auth/v1/signup/password', { keep: true })).status, 204)

  for (const email of [typed, stored, `${typed} .`, typed.toUpperCase(), `${typed.split('@')[0]}@ｅｘäｍｐｌｅ。com`]) {
    const { status, body } = await strict.visitor.post(token, { email, password: PASSWORD })
    assert.deepEqual([email, status, body.user?.email], [email, 200, stored])
    // what its owner is shown
    assert.equal(body.user.app_metadata.shown_email, typed)
  }
  for (const email of [typed, stored]) {
    const again = await strict.visitor.post('/auth/v1/signup', { email, password: PASSWORD })
    assert.deepEqual([again.status, again.body.identities], [200, []])
  }
})

test('an address changes to the ASCII form of the new one, and both emails and the profile name it', async () => {
  const person = await newPerson(`changes-${people++}@example.com`)
  const { typed, stored } = newNames()
  const asked = await person.post('/api/email-change', { email: typed })
  assert.deepEqual([asked.status, asked.body.pending.new_email], [200, typed])
  assert.equal((await inbox.to(typed)).length, 1)
  const [current] = await inbox.to(person.email)
  // a letter may look like another: who has to agree reads the ASCII form too
  const { text = '' } = current!.parsed
  assert.ok(text.replaceAll(/\s+/g, ' ').includes(`${typed} (${stored})`), text)

  const own = newNames()
  const other = await newPerson(own.typed)
  for (const email of [own.typed, own.stored])
    assert.deepEqual((await other.post('/api/email-change', { email })).body, { pending: null }) // it is that already
})

test('what is written on the contact page can be answered', async () => {
  const form = { name: 'Sam Roy', subject: 'general-inquiry', message: 'A question' }
  const { typed, stored } = newNames()
  assert.equal((await app.visitor.post('/send-email', { ...form, type: 'contact', email: typed })).status, 200)
  // the team's own address has such a domain here
  const [mail] = await inbox.to('aide@exämple.com')
  assert.match(mail!.raw, new RegExp(`^Reply-To: ${stored}\r$`, 'm'))
  assert.ok(mail!.parsed.text?.includes(`${typed} (${stored})`))
})

test('an invitation for either form is accepted by its account', async () => {
  const owner = await newPerson(`owner-${people++}@example.com`)
  const { vehicle } = (
    await owner.post('/register-plate', {
      ...{ plate: 'IDN123', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' },
    })
  ).body
  const own = newNames()
  const driver = await newPerson(own.typed)
  const { code } = await invite(owner, vehicle.id, { email: own.typed })
  assert.equal((await accept(await newPerson(newNames().typed), code)).status, 404)
  assert.equal((await accept(driver, code)).status, 200)
  const emailOf = async (who: Person) =>
    (await peopleOf(who, vehicle.id)).items.find(({ role }: { role: string }) => role === 'driver').email
  assert.equal(await emailOf(driver), own.typed)
  assert.equal(await emailOf(owner), own.stored) // which cannot be mistaken for another
})

test('admins find either form, and our other software writes to either', async () => {
  const { typed, stored } = newNames()
  const person = await newPerson(typed)
  const admin = await createAdmin(app)
  await app.vehicle(person)
  const domain = typed.slice(typed.indexOf('@') + 1)
  for (const search of [typed, stored, `${typed.split('@')[0]}@${domain}`, typed.toUpperCase()]) {
    const users = await admin.post('/rest/v1/rpc/get_users', { search })
    assert.deepEqual(fieldsOf(users.body.items, 'email'), [stored], search)
    const vehicles = await admin.get(`/api/admin/vehicles?email=${encodeURIComponent(search)}`)
    assert.deepEqual(
      vehicles.body.items.map((one: { owner_email: string }) => one.owner_email),
      [stored],
      search,
    )
  }
  const ofDomain = await admin.post('/rest/v1/rpc/get_users', { search: domain })
  assert.ok(ofDomain.body.items.some(({ email }: { email: string }) => email === stored))

  const { to } = { to: newNames() }
  const mail = { type: 'vehicle-approved', to: to.typed, plate: 'ABC123' }
  assert.equal((await app.withToken(SERVICE_KEY).post('/send-email', mail)).status, 200)
  assert.equal((await inbox.to(to.typed)).length, 1)
})

test('whoever gives an address reads that we cannot write to letters such as é before the @, and what is no address', async () => {
  const form = { type: 'contact', name: 'Sam', subject: 'general-inquiry', message: 'Hi' }
  const errorOf = async (email: string, language = {}) =>
    (await app.visitor.post('/send-email', { ...form, email }, language)).body.fields?.email
  for (const email of ['josé@exämple.com', 'jo\u200bse@example.com']) {
    assert.equal(await errorOf(email), UNWRITABLE)
    assert.equal(await errorOf(email, FRENCH), UNWRITABLE_FRENCH)
  }
  const malformed = ['a@ä..com', 'a@xn--a.com', 'a@exämple.com:25', 'a@１２７.０.０.１', `a@${'ä'.repeat(100_000)}.com`]
  for (const email of malformed)
    assert.match((await errorOf(email)) ?? '', /^Please (enter|give) a valid email address\.$/)
})

test('the auth protocol says it too, wherever it takes an address', async () => {
  for (const path of ['signup', 'recover', 'otp', 'resend']) {
    const send = (email: string) =>
      app.visitor.post(`/auth/v1/${path}`, { email, password: PASSWORD, create_user: false, type: 'signup' })
    const unwritable = await send('josé@exämple.com')
    assertRefused(unwritable, 400, 'validation_failed')
    assert.equal(unwritable.body.msg, UNWRITABLE)
    assert.equal((await send('a@xn--a.com')).body.msg, 'Unable to validate email address: invalid format')
    assert.equal((await send('a@пример.рф')).status, 200) // of which every part is international
  }
})
