import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openLink, waitForMailedLink } from '../test/auth-links.ts'
import { eventually } from '../test/eventually.ts'
import { withFactor } from '../test/factors.ts'
import { fieldsOf } from '../test/fields.ts'

// What happened to an account, for its person and for admins (decision account-events).

const app: TestApp = await testApp({ settings: { TRUST_PROXY: 'loopback' } })
const confirming: TestApp = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false' } })

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

const tryPassword = ({ email }: Person, password: string, ip: string, browser = FIREFOX) =>
  app.visitor.post(
    '/auth/v1/token?grant_type=password',
    { email, password },
    { 'x-forwarded-for': ip, 'user-agent': browser },
  )

/** Signs in from an address, with a browser. */
async function signInFrom(person: Person, ip: string, browser = FIREFOX): Promise<Person> {
  const { status, body, text } = await tryPassword(person, person.password, ip, browser)
  assert.equal(status, 200, text)
  return { ...person, ...app.withToken(body.access_token), token: body.access_token, refreshToken: body.refresh_token }
}

const eventsOf = async (person: Person) => (await person.get('/api/account-events')).body.items as { type: string }[]
const typesOf = async (person: Person) => (await eventsOf(person)).map(({ type }) => type)

const newSignInMails = async (to: string) =>
  (await app.visitor.get(`/dev/mailbox.json?to=${encodeURIComponent(to)}`)).body.filter(
    ({ subject }: { subject: string }) => /^(New login|Nouvelle connexion)/.test(subject),
  ) as { subject: string; text: string }[]

describe('events', () => {
  test('show a person sign-ins, failures and the end of sessions, with device and network but no address', async () => {
    const person = await app.user()
    const elsewhere = await signInFrom(person, '203.0.113.7')
    await tryPassword(person, 'Wrong-horse-7', '198.51.100.9', SAFARI)
    await eventually(async () => (await typesOf(person)).includes('sign_in_failed') || undefined)
    await elsewhere.post('/auth/v1/logout?scope=local')
    const { body, text } = await person.get('/api/account-events', { 'x-forwarded-for': '203.0.113.200' })
    assert.deepEqual(
      body.items.map((event: Record<string, unknown>) => [
        event['type'],
        event['device'],
        event['same_network'],
        event['current_session'],
      ]),
      [
        ['session_ended', null, false, false],
        ['sign_in_failed', 'Safari · iPhone', false, false],
        // another address of the same network
        ['sign_in', 'Firefox · Windows', true, false],
        ['sign_in', null, false, true], // this session: of the sign-up, which confirms itself here
      ],
    )
    assert.doesNotMatch(text, /203\.0\.113|198\.51\.100/)
    const [row] = await app.db`select string_agg(e::text, ' ') as text from auth.events e`
    assert.doesNotMatch(row?.['text'], /203\.0\.113|198\.51\.100/)
  })

  test('show a link at its first use, not when a scanner opens it', async () => {
    const email = 'link-events@example.com'
    await confirming.visitor.post('/auth/v1/signup', { email, password: 'Correct-horse-7', data: { full_name: 'Jo' } })
    const link = await waitForMailedLink(confirming, email)
    await openLink(confirming, link)
    const { fragment } = await openLink(confirming, link)
    const [before] = await confirming.db`select count(*)::int as count from auth.events`
    assert.equal(before?.['count'], 0)
    const { body: session } = await confirming.visitor.post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: fragment['refresh_token'],
    })
    const { body } = await confirming.withToken(session.access_token).get('/api/account-events')
    assert.deepEqual(fieldsOf(body.items, 'type'), ['link_used'])
  })

  test('show second factors and wrong codes', async () => {
    const person = await app.user()
    const verified = await withFactor(app, person)
    const { body: challenge } = await person.post(`/auth/v1/factors/${verified.factorId}/challenge`)
    const answer = { challenge_id: challenge.id, code: '000000' }
    await person.post(`/auth/v1/factors/${verified.factorId}/verify`, answer)
    await verified.delete(`/auth/v1/factors/${verified.factorId}`)
    assert.deepEqual((await typesOf(person)).slice(0, 3), ['factor_removed', 'factor_failed', 'factor_added'])
  })

  test('are shown page by page, and to nobody else but admins', async () => {
    const person = await app.user()
    for (let n = 0; n < 5; n++) await app.signIn(person.email, person.password)
    const first = (await person.get('/api/account-events?limit=4')).body
    const second = (await person.get(`/api/account-events?limit=4&cursor=${first.next}`)).body
    const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id)
    assert.deepEqual([ids.length, new Set(ids).size, second.next], [6, 6, null])

    const stranger = await app.user()
    assert.equal((await stranger.get(`/api/admin/users/${person.id}/events`)).status, 403)
    await app.db`update auth.users set is_admin = true where id = ${stranger.id}`
    const { body } = await stranger.get(`/api/admin/users/${person.id}/events`)
    assert.equal(body.items.length, 6)
    assert.ok(body.items.every(({ network }: { network: string }) => /^[0-9a-f]{6}$/.test(network)))
  })

  test('of sign-ins, failures and ends of sessions are limited, and one from elsewhere is always recorded', async () => {
    const person = await app.user()
    const countFailures = async () =>
      (await app.db`select from auth.events where user_id = ${person.id} and type = 'sign_in_failed'`).length
    for (let n = 0; n < 35; n++) await signInFrom(person, '203.0.113.7')
    await app.db`
      insert into auth.events (user_id, type, network_hash, device)
      select user_id, 'sign_in_failed', network_hash, device from auth.events
      where user_id = ${person.id} and device is not null limit 28`
    // at once, and still each counts those before it
    await Promise.all(Array.from({ length: 6 }, () => tryPassword(person, 'Wrong-horse-7', '203.0.113.7')))
    await eventually(async () => (await countFailures()) >= 30 || undefined)
    await app.db`delete from auth.sessions where user_id = ${person.id}`
    await signInFrom(person, '198.51.100.9')
    const rows = await app.db<{ type: string; count: number }[]>`
      select type, count(*)::int as count from auth.events
      where user_id = ${person.id} and (type = 'session_ended' or device is not null)
      group by type, network_hash order by type, count`
    assert.deepEqual(fieldsOf(rows, 'type', 'count'), [
      ['session_ended', 30],
      ['sign_in', 1],
      ['sign_in', 30],
      ['sign_in_failed', 30],
    ])
  })
})

describe('the email about a new sign-in', () => {
  test('is sent for a device or a network not seen before, in the account’s language, and not for the first sign-in', async () => {
    const person = await app.user({ locale: 'fr-CA' })
    assert.equal((await newSignInMails(person.email)).length, 0)
    await signInFrom(person, '203.0.113.7')
    const [mail] = await app.mails(person.email, 1)
    assert.equal(mail?.subject, 'Nouvelle connexion à votre compte PlateNote')
    assert.match(mail.text, /\(Firefox · Windows\)/)
    assert.match(mail.text, /http:\/\/platenote\.test\/fr\/account-link#do=undo/)
    // the same device and network, by another address of it
    await signInFrom(person, '203.0.113.99')
    await signInFrom(person, '203.0.113.7', SAFARI)
    await signInFrom(person, '2001:db8:1:2::7', SAFARI)
    await signInFrom(person, '2001:db8:1:9::7', SAFARI)
    await app.mails(person.email, 3)
    assert.equal((await newSignInMails(person.email)).length, 3)
  })

  test('is sent when nobody has signed in for so long that no event is left', async () => {
    const person = await app.user()
    await app.db`delete from auth.events where user_id = ${person.id}`
    await app.db`update auth.users set created_at = now() - interval '100 days' where id = ${person.id}`
    await app.signIn(person.email, person.password)
    const [mail] = await app.mails(person.email, 1)
    assert.equal(mail?.subject, 'New login to your PlateNote account')
  })
})
