import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newEmail, PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertRefused, openLink, waitForMailedLink } from '../test/auth-links.ts'
import { eventually } from '../test/eventually.ts'
import { runCommand } from '../test/product.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'

const inbox = await startSmtpInbox()
after(() => inbox.close())
const app = await testApp({ settings: { SMTP_URL: inbox.url } })
after(() => app.close())
const capturing = await testApp()
after(() => capturing.close())

const NEXT = 'Another-horse-8'
const change = (person: Person, password: string, current_password: string) =>
  person.put('/auth/v1/user', { password, current_password })

test('every change sends its own email, in the language of the person: what happened, when, and what to do', async () => {
  const person = await app.user({ locale: 'en' })
  assert.equal((await change(person, NEXT, PASSWORD)).status, 200)
  assert.equal((await change(person, 'Third-horse-9', NEXT)).status, 200)
  const mails = await inbox.to(person.email, 2)
  assert.equal(mails.length, 2)
  const { subject, text = '', html } = mails[0]!.parsed
  assert.equal(subject, 'Your PlateNote account has a new password')
  assert.match(
    text,
    /account on \w+day, \w+ \d{1,2}, \d{4} at \d{1,2}:\d\d [ap]\.m\. Eastern (?:Standard|Daylight) Time/,
  )
  assert.match(text, /other device .* signed out/)
  assert.match(text, /support@platenote\.ca/)
  const links = [...`${text}${html}`.matchAll(/https?:\/\/platenote\.test[^\s"<]*/g)].map(([url]) => url)
  assert.deepEqual(
    [...new Set(links)].filter((url) => !/^http:\/\/platenote\.test\/?$/.test(url)),
    ['http://platenote.test/forgot-password'],
  )

  const french = await app.user({ locale: 'fr-CA' })
  await change(french, NEXT, PASSWORD)
  const [mail] = await inbox.to(french.email)
  assert.equal(mail!.parsed.subject, 'Votre compte PlateNote a un nouveau mot de passe')
  const when =
    /PlateNote le \p{L}+ \d{1,2} \p{L}+ \d{4} à \d{1,2}\u00a0h\u00a0\d\d \(heure (?:normale|avancée) de l’Est\)/u
  assert.match(mail!.parsed.text ?? '', when)
  assert.match(mail!.parsed.text ?? '', /http:\/\/platenote\.test\/fr\/forgot-password/)
})

test('a password set by a recovery link is announced too, also the first one of an account', async () => {
  for (const first of [false, true]) {
    const person = await capturing.user()
    if (first) await capturing.db`update auth.users set encrypted_password = null where id = ${person.id}`
    await capturing.visitor.post('/auth/v1/recover', { email: person.email })
    const { fragment } = await openLink(capturing, await waitForMailedLink(capturing, person.email))
    const session = capturing.withToken(fragment['access_token'] ?? '')
    assert.equal((await session.put('/auth/v1/user', { password: NEXT })).status, 200)
    const [mail] = await capturing.mails(person.email, 2)
    assert.equal(mail!.subject, 'Your PlateNote account has a new password')
  }
})

test('refused changes, and those of other data, send no email', async () => {
  const person = await app.user()
  assertRefused(await change(person, NEXT, 'Wrong-horse-7'), 400, 'current_password_invalid')
  assertRefused(await change(person, 'weak', PASSWORD), 422, 'weak_password')
  assert.equal((await person.put('/auth/v1/user', { data: { full_name: 'New' } })).status, 200)
  const queued = await app.db`select from outbox where recipient_id = ${person.id}`
  assert.equal(queued.length, 0)
})

describe('a password that an operator resets', () => {
  const resetPassword = async (email: string) => {
    const { code, out } = await runCommand('admin', ['reset-password', email], {
      DATABASE_URL: app.database.url,
    })
    return { code, out: out.trim() }
  }
  const signInWith = ({ email }: Person, password: string) =>
    app.visitor.post('/auth/v1/token?grant_type=password', { email, password })

  test('lets nobody in any more, who is signed in is signed out, and its person chooses another by email', async () => {
    const person = await app.user({ locale: 'en' })
    const vehicle = await app.vehicle(person)
    const invited = await person.post(`/api/vehicles/${vehicle.id}/invitations`, {})
    const changed = await person.post('/api/email-change', { email: newEmail() })
    assert.deepEqual([invited.status, changed.status], [201, 200])
    assert.deepEqual(await resetPassword(person.email), {
      code: 0,
      out: `The password of ${person.email} no longer works. Its person is signed out everywhere, and told by email.`,
    })
    assertRefused(await signInWith(person, PASSWORD), 400, 'invalid_credentials')
    assert.equal((await person.get('/api/dashboard')).status, 401)
    assertRefused(
      await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: person.refreshToken }),
      400,
      'refresh_token_not_found',
    )
    const [left] = await app.db`
      select (select count(*)::int from vehicle_invitations where vehicle_id = ${vehicle.id}) as invitations,
        (select count(*)::int from auth.email_changes where user_id = ${person.id}) as email_changes,
        (select count(*)::int from audit_log where subject_id = ${person.id} and action = 'password_reset') as entries`
    assert.deepEqual({ ...left }, { invitations: 0, email_changes: 0, entries: 1 })
    assert.deepEqual(await resetPassword(person.email), { code: 1, out: `${person.email} has no password.` })

    const text = await eventually(async () => {
      const mails = await inbox.to(person.email)
      return mails.find(({ parsed }) => parsed.subject === 'Your PlateNote password no longer works')?.parsed.text
    })
    assert.match(text, /someone else may know it/)
    assert.match(text, /http:\/\/platenote\.test\/forgot-password/)
  })
})
