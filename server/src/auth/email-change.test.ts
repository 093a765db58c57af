import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { newEmail, PASSWORD, type Person, type TestResponse, testApp } from '../test/app.ts'
import { assertRefused, postLink, waitForMailedLink } from '../test/auth-links.ts'
import { mailLinks, requestChange } from '../test/email-change.ts'
import { mailAbout } from '../test/sanctions.ts'
import { accept, assertInvalid, invite } from '../test/vehicle-people.ts'

const app = await testApp()

const openMailed = (action: string, token: string | undefined, who = app.visitor) =>
  who.post('/api/account-links', { action, token })
const outcome = async (response: ReturnType<typeof openMailed>) => {
  const { status, body } = await response
  return status === 200 ? body.state : [status, body.code]
}
const DEAD = [404, 'email_link_invalid']
const signInStatus = async (email: string, password = PASSWORD) =>
  (await app.visitor.post('/auth/v1/token?grant_type=password', { email, password })).status
const ask = (person: Person, email: string) => person.post('/api/email-change', { email })
const assertApiRefused = ({ status, body }: TestResponse, expected: number, code: string) =>
  assert.deepEqual([status, body.code], [expected, code])
const pending = async (person: Person) => (await person.get('/api/email-change')).body.pending
const addressOf = async (person: Person) => {
  const [row] = await app.db<{ email: string }[]>`select email from auth.users where id = ${person.id}`
  return row!.email
}
const eventsOf = async ({ id }: Person) =>
  (
    await app.db<{ type: string }[]>`select type from auth.events where user_id = ${id} and type ~ 'change' order by at`
  ).map(({ type }) => type)

/** Asks for a change and confirms it from both mailboxes. */
async function change(person: Person) {
  const links = await requestChange(app, person)
  assert.equal(await outcome(openMailed('confirm', links.current.confirm)), 'waiting')
  assert.equal(await outcome(openMailed('confirm', links.fresh.confirm)), 'changed')
  const { undo } = mailLinks(await mailAbout(app, person.email, /was changed/))
  assert.ok(undo)
  return { ...links, undo }
}

describe('a change of the address', () => {
  test('is made once both mailboxes have confirmed it, in either order', async () => {
    const person = await app.user()
    const elsewhere = await app.signIn(person.email, PASSWORD)
    const links = await requestChange(app, person)
    assert.equal((await pending(person)).new_email, links.email)
    assert.equal(await outcome(openMailed('confirm', links.fresh.confirm)), 'waiting')
    assert.equal(await addressOf(person), person.email)
    const { current_confirmed, new_confirmed } = await pending(person)
    assert.deepEqual([current_confirmed, new_confirmed], [false, true])
    assert.deepEqual(await outcome(openMailed('confirm', links.fresh.confirm)), DEAD, 'a link works once')
    assert.equal(await outcome(openMailed('confirm', links.current.confirm)), 'changed')

    for (const session of [person, elsewhere]) assert.equal((await session.get('/api/vehicles')).status, 401)
    assert.equal(await signInStatus(person.email), 400)
    const again = await app.signIn(links.email, PASSWORD)
    assert.equal(again.id, person.id)
    assert.equal(await pending(again), null)
    assert.deepEqual(await eventsOf(person), ['email_change_requested', 'email_changed'])
    // the other way round
    await change(again)
  })

  test('is not for suspended people, not even one that only had to be confirmed', async () => {
    const person = await app.user()
    const links = await requestChange(app, person)
    const id = randomUUID()
    await app.db`insert into subjects (id, person_hash) select ${id}, person_hash from auth.users where id = ${person.id}`
    await app.db`insert into sanctions (id, subject_id, kind) values (${randomUUID()}, ${id}, 'suspend')`
    assertApiRefused(await ask(person, newEmail()), 403, 'suspended')
    assert.equal((await person.get('/api/email-change')).body.code, 'suspended')
    await openMailed('confirm', links.current.confirm)
    assert.deepEqual(await outcome(openMailed('confirm', links.fresh.confirm)), DEAD)
    assert.equal(await addressOf(person), person.email)
  })

  test('ignores the present address, and refuses what is none', async () => {
    const person = await app.user()
    assert.equal((await ask(person, person.email.toUpperCase())).status, 200)
    assert.equal(await pending(person), null)
    for (const email of ['', 'nobody', 'a@x,b@y.ca', `${'a'.repeat(250)}@example.com`])
      assertApiRefused(await ask(person, email), 400, 'invalid_input')
  })

  test('is cancelled by its person, by a newer one, by a new password, and by time', async () => {
    const person = await app.user()
    const cancels: (() => Promise<unknown>)[] = [
      () => person.delete('/api/email-change'),
      () => requestChange(app, person),
      () => person.put('/auth/v1/user', { password: 'Another-horse-8', current_password: PASSWORD }),
      () =>
        app.db`update auth.email_changes set requested_at = now() - interval '25 hours' where user_id = ${person.id}`,
    ]
    for (const cancel of cancels) {
      const links = await requestChange(app, person)
      await cancel()
      assert.notEqual((await pending(person))?.new_email, links.email)
      assert.deepEqual(await outcome(openMailed('confirm', links.current.confirm)), DEAD)
      assert.deepEqual(await outcome(openMailed('confirm', links.fresh.confirm)), DEAD)
    }
    assert.equal(await addressOf(person), person.email)
  })

  test('has its emails sent again to the mailbox that has not confirmed it, and the earlier link ends', async () => {
    const person = await app.user()
    const links = await requestChange(app, person)
    await openMailed('confirm', links.current.confirm)
    assert.equal((await person.post('/api/email-change/resend')).status, 200)
    const [newest] = await app.mails(links.email, 2)
    assert.deepEqual(await outcome(openMailed('confirm', links.fresh.confirm)), DEAD)
    assert.equal((await app.mails(person.email)).length, 1)
    assert.equal(await outcome(openMailed('confirm', mailLinks(newest).confirm)), 'changed')
  })

  test('sends what waits to the new address, and no link for the former one works', async () => {
    const person = await app.user()
    await app.visitor.post('/auth/v1/recover', { email: person.email })
    const reset = await waitForMailedLink(app, person.email)
    const { email } = await change(person)
    assertRefused(await postLink(app, reset), 403, 'otp_expired')
    const before = (await app.mails(person.email)).length
    await app.visitor.post('/auth/v1/recover', { email: person.email })
    await app.visitor.post('/auth/v1/recover', { email })
    const [mail] = await app.mails(email, 2)
    assert.match(mail!.subject, /password/i)
    assert.equal((await app.mails(person.email)).length, before)
  })
})

describe('an address that has an account', () => {
  test('gets the same answer, and an email that says so in place of a link', async () => {
    const [person, other] = [await app.user(), await app.user()]
    const responses = []
    for (const email of [other.email, newEmail()]) {
      const { status, body } = await ask(person, email)
      responses.push({ status, keys: Object.keys(body), shown: await pending(person).then((p) => Object.keys(p)) })
    }
    assert.deepEqual(responses[0], responses[1])
    await ask(person, other.email)
    const [mail] = await app.mails(other.email)
    assert.match(mail!.subject, /can’t be used/)
    assert.deepEqual(mailLinks(mail), {})
    assert.ok(!mail!.text.includes(person.email))
  })

  test('is not taken from an account that was made meanwhile', async () => {
    const person = await app.user()
    const links = await requestChange(app, person)
    await openMailed('confirm', links.current.confirm)
    const other = await app.user({ email: links.email })
    assert.deepEqual(await outcome(openMailed('confirm', links.fresh.confirm)), [409, 'email_unavailable'])
    assert.equal((await app.signIn(links.email, PASSWORD)).id, other.id)
    assert.equal(await pending(person), null)
  })

  test('that nobody has confirmed makes way for the mailbox that has', async () => {
    const person = await app.user()
    const email = newEmail()
    await app.db`insert into auth.users (id, email, person_hash) values (gen_random_uuid(), ${email}, '')`
    const links = await requestChange(app, person, email)
    await openMailed('confirm', links.current.confirm)
    assert.equal(await outcome(openMailed('confirm', links.fresh.confirm)), 'changed')
  })
})

describe('the former mailbox', () => {
  test('undoes the change, whatever was done since: the account is back, and only there a new password is chosen', async () => {
    const person = await app.user()
    const vehicle = await app.vehicle(person)
    const { email: thiefs, undo } = await change(person)
    const thief = await app.signIn(thiefs, PASSWORD)
    const { code } = await invite(thief, vehicle.id)
    await app.db`
      insert into auth.factors (id, user_id, factor_type, friendly_name, secret_encrypted, verified_at, created_at)
      select gen_random_uuid(), ${person.id}, 'totp', name, ''::bytea, at, at
      from (values ('of the thief', now()), ('own', now() - interval '8 days')) as factors (name, at)`
    assert.equal(await outcome(openMailed('undo', undo)), 'undone')
    assert.equal(await addressOf(person), person.email)
    assertInvalid(await accept(await app.user(), code))
    assert.equal((await thief.get('/api/vehicles')).status, 401)
    for (const email of [thiefs, person.email]) assert.equal(await signInStatus(email), 400)
    // a second step from before the change stays
    const factors = await app.db`select friendly_name from auth.factors where user_id = ${person.id}`
    assert.deepEqual(
      factors.map((factor) => factor['friendly_name']),
      ['own'],
    )
    assert.deepEqual(await outcome(openMailed('undo', undo)), DEAD, 'a link works once')
    const opened = await postLink(app, await waitForMailedLink(app, person.email, 3))
    const session = app.withToken(opened.body.access_token)
    // which would be asked for first
    await app.db`delete from auth.factors where user_id = ${person.id}`
    assert.equal((await session.put('/auth/v1/user', { password: 'Mine-again-9' })).status, 200)
    assert.equal((await app.signIn(person.email, 'Mine-again-9')).id, person.id)
    assert.deepEqual(await eventsOf(person), ['email_change_requested', 'email_changed', 'changes_undone'])
  })

  test('is in the export, and undoes it also after a second change, which ends with it', async () => {
    const person = await app.user()
    const { email, undo } = await change(person)
    const again = await app.signIn(email, PASSWORD)
    const { email: third } = await requestChange(app, again)
    const { former_addresses, email_change } = (await again.get('/api/export')).body
    assert.deepEqual([former_addresses.length, former_addresses[0].email], [1, person.email])
    assert.equal(email_change.new_email, third)
    const second = await change(again)
    assert.equal(await outcome(openMailed('undo', undo)), 'undone')
    assert.equal(await addressOf(person), person.email)
    assert.deepEqual(await outcome(openMailed('undo', second.undo)), DEAD)
  })

  test('does so once, for seven days, and not while another account has the address', async () => {
    const person = await app.user()
    const { undo } = await change(person)
    const shiftChange = async (by: string) => {
      await app.db`update auth.former_addresses set changed_at = changed_at + ${by}::interval where user_id = ${person.id}`
      await app.db`update auth.account_link_tokens set since = since + ${by}::interval where user_id = ${person.id}`
    }
    await shiftChange('-7 days')
    assert.deepEqual(await outcome(openMailed('undo', undo)), DEAD)
    await shiftChange('7 days')
    const other = await app.user({ email: person.email })
    assert.deepEqual(await outcome(openMailed('undo', undo)), [409, 'email_unavailable'])
    assert.equal((await other.post('/functions/v1/delete-user', { id: other.id })).status, 200)
    const states = await Promise.all([1, 2, 3].map(() => outcome(openMailed('undo', undo))))
    assert.equal(states.filter((state) => state === 'undone').length, 1)
  })
})

test('a link is for one action, and what is no link is refused like one that is over', async () => {
  const person = await app.user()
  const links = await requestChange(app, person)
  for (const [action, token] of [
    ['undo', links.current.confirm],
    ['undo', links.fresh.confirm],
    ['confirm', links.current.undo],
    ['confirm', randomUUID()],
  ] as const)
    assert.deepEqual(await outcome(openMailed(action, token)), DEAD)
  assert.deepEqual(await outcome(openMailed('stop', links.current.undo)), [400, 'invalid_input'])
  assert.equal(await outcome(openMailed('confirm', links.current.confirm)), 'waiting')
})
