import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { newEmail, PASSWORD, type Person, type TestResponse, testApp } from '../test/app.ts'
import { assertRefused, postLink, waitForMailedLink } from '../test/auth-links.ts'
import { createAdmin } from '../test/disputes.ts'
import { DEAD_LINK, mailLinks, openAccountLink, requestChange } from '../test/email-change.ts'
import { mailAbout, personOf, suspend } from '../test/sanctions.ts'

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
const admin = await createAdmin(app)

const openMailed = (action: string, token: string | undefined) => openAccountLink(app, action, token)
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
  assert.equal(await openMailed('confirm', links.current.confirm), 'waiting')
  assert.equal(await openMailed('confirm', links.fresh.confirm), 'changed')
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
    assert.equal(await openMailed('confirm', links.fresh.confirm), 'waiting')
    assert.equal(await addressOf(person), person.email)
    const { current_confirmed, new_confirmed } = await pending(person)
    assert.deepEqual([current_confirmed, new_confirmed], [false, true])
    assert.deepEqual(await openMailed('confirm', links.fresh.confirm), DEAD_LINK, 'a link works once')
    assert.equal(await openMailed('confirm', links.current.confirm), 'changed')

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
    assert.deepEqual(await openMailed('confirm', links.fresh.confirm), DEAD_LINK)
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
      assert.deepEqual(await openMailed('confirm', links.current.confirm), DEAD_LINK)
      assert.deepEqual(await openMailed('confirm', links.fresh.confirm), DEAD_LINK)
    }
    assert.equal(await addressOf(person), person.email)
  })

  test('has its emails sent again to the mailbox that has not confirmed it, and the earlier link ends', async () => {
    const person = await app.user()
    const links = await requestChange(app, person)
    await openMailed('confirm', links.current.confirm)
    assert.equal((await person.post('/api/email-change/resend')).status, 200)
    const [newest] = await app.mails(links.email, 2)
    assert.deepEqual(await openMailed('confirm', links.fresh.confirm), DEAD_LINK)
    assert.equal((await app.mails(person.email)).length, 1)
    assert.equal(await openMailed('confirm', mailLinks(newest).confirm), 'changed')
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
    assert.deepEqual(await openMailed('confirm', links.fresh.confirm), [409, 'email_unavailable'])
    assert.equal((await app.signIn(links.email, PASSWORD)).id, other.id)
    assert.equal(await pending(person), null)
  })

  test('that nobody has confirmed makes way for the mailbox that has', async () => {
    const person = await app.user()
    const email = newEmail()
    await app.db`insert into auth.users (id, email, person_hash) values (gen_random_uuid(), ${email}, '')`
    const links = await requestChange(app, person, email)
    await openMailed('confirm', links.current.confirm)
    assert.equal(await openMailed('confirm', links.fresh.confirm), 'changed')
  })
})

describe('the former mailbox', () => {
  test('is in the export, and undoes it also after a second change, which ends with it', async () => {
    const person = await app.user()
    const { email, undo } = await change(person)
    const again = await app.signIn(email, PASSWORD)
    const { email: third } = await requestChange(app, again)
    const { former_addresses, email_change } = (await again.get('/api/export')).body
    assert.deepEqual([former_addresses.length, former_addresses[0].email], [1, person.email])
    assert.equal(email_change.new_email, third)
    const second = await change(again)
    assert.equal(await openMailed('undo', undo), 'undone')
    assert.equal(await addressOf(person), person.email)
    assert.deepEqual(await openMailed('undo', second.undo), DEAD_LINK)
    assert.equal((await eventsOf(person)).at(-1), 'changes_undone')
  })

  test('does not while another account has the address', async () => {
    const person = await app.user()
    const { undo } = await change(person)
    const other = await app.user({ email: person.email })
    assert.deepEqual(await openMailed('undo', undo), [409, 'email_unavailable'])
    assert.equal((await other.post('/functions/v1/delete-user', { id: other.id })).status, 200)
    assert.equal(await openMailed('undo', undo), 'undone')
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
    assert.deepEqual(await openMailed(action, token), DEAD_LINK)
  assert.deepEqual(await openMailed('stop', links.current.undo), [400, 'invalid_input'])
  assert.equal(await openMailed('confirm', links.current.confirm), 'waiting')
})

// Who somebody is does not change with their address (decision email-change): neither a sanction nor a limit is escaped by it.

const SUSPENDED = [403, 'suspended']
const outcome = async (response: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await response
  return status < 300 ? status : [status, body.code]
}

/** Moves an account to another address, and returns its person signed in again. */
async function move(person: Person, email = newEmail()): Promise<Person> {
  const { current, fresh } = await requestChange(app, person, email)
  await openMailed('confirm', current.confirm)
  assert.equal(await openMailed('confirm', fresh.confirm), 'changed')
  return app.signIn(email, PASSWORD)
}

async function undo(formerEmail: string): Promise<void> {
  const { text } = await mailAbout(app, formerEmail, /was changed/)
  const [, token] = /do=undo&token=([\w-]+)/.exec(text) ?? []
  assert.equal(await openMailed('undo', token), 'undone')
}

const vehicleOf = (owner: Person) => app.vehicle(owner, { plate: randomUUID().slice(0, 7).toUpperCase() })

describe('a person who moves to another address', () => {
  test('is the same person to admins, and stays suspended at both mailboxes, also after deleting the account', async () => {
    const person = await app.user()
    const before = await personOf(admin, person)
    const moved = await move(person)
    assert.equal(await personOf(admin, moved), before)
    await suspend(admin, moved)
    const again = await app.signIn(moved.email, PASSWORD)
    assert.deepEqual(await outcome(again.get('/api/vehicles')), SUSPENDED)
    assert.equal(await outcome(again.post('/functions/v1/delete-user', { id: moved.id })), 200)
    for (const email of [person.email, moved.email, moved.email.replace('@', '+next@')]) {
      const next = await app.user({ email })
      assert.deepEqual(await outcome(next.get('/api/vehicles')), SUSPENDED, email)
    }
  })

  test('gets no new challenge for a plate', async () => {
    const [owner, challenger] = [await app.user(), await app.user()]
    for (let i = 0; i < 3; i++) {
      const { plate } = await vehicleOf(owner)
      const { body } = await register(challenger, plate)
      assert.equal(body.status, 'dispute_started')
      await challenger.delete(`/api/vehicles/${body.vehicle.id}`)
    }
    const moved = await move(challenger)
    const { plate } = await vehicleOf(owner)
    assert.equal((await register(moved, plate)).body.code, 'too_many_challenges')
    // nor with a new account at either mailbox
    await moved.post('/functions/v1/delete-user', { id: moved.id })
    for (const email of [challenger.email, moved.email])
      assert.equal((await register(await app.user({ email }), plate)).body.code, 'too_many_challenges')
  })

  test('does not move to the mailbox of somebody suspended', async () => {
    const [person, other] = [await app.user(), await app.user()]
    await suspend(admin, other)
    const again = await app.signIn(other.email, PASSWORD)
    await again.post('/functions/v1/delete-user', { id: other.id })
    await person.post('/api/email-change', { email: other.email })
    await mailAbout(app, other.email, /can’t be used/)
  })
})

describe('a change that is undone', () => {
  test('leaves the mailbox it went to to its reader: what they do is no longer the person’s', async () => {
    const victim = await app.user()
    const thiefs = newEmail()
    await move(victim, thiefs)
    const thief = await app.user({ email: thiefs.replace('@', '+own@') })
    assert.equal(await personOf(admin, thief), await personOf(admin, victim))
    await undo(victim.email)
    assert.notEqual(await personOf(admin, thief), await personOf(admin, victim))
    await suspend(admin, thief)
    const [row] = await app.db<{ suspended: boolean }[]>`
      select is_account_sanctioned(${victim.id}, 'suspend') as suspended`
    assert.equal(row!.suspended, false)
    const later = await app.user({ email: thiefs })
    assert.deepEqual(await outcome(later.get('/api/vehicles')), SUSPENDED)
  })

  test('is no way out of a suspension', async () => {
    const person = await app.user()
    const moved = await move(person)
    await suspend(admin, moved)
    await undo(person.email)
    const [row] = await app.db<{ suspended: boolean }[]>`
      select is_account_sanctioned(${person.id}, 'suspend') as suspended`
    assert.equal(row!.suspended, true)
  })
})

test('each address gets only so many emails about changes, whoever asks', async () => {
  const target = newEmail()
  const people = []
  for (let i = 0; i < 6; i++) people.push(await app.user())
  const statuses = []
  for (const { token } of people)
    statuses.push((await limited.withToken(token).post('/api/email-change', { email: target })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  // for emails that are sent again, too, there is a count of the account
  const again = limited.withToken(people[0]!.token)
  for (let i = 0; i < 4; i++) assert.equal((await again.post('/api/email-change', { email: newEmail() })).status, 200)
  assert.equal((await again.post('/api/email-change/resend')).status, 429)
})

const register = (who: Person, plate: string) =>
  who.post('/register-plate', { plate, make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' })
