import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { newEmail, PASSWORD, type Person, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { requestChange } from '../test/email-change.ts'
import { mailAbout, personOf, suspend } from '../test/sanctions.ts'

// Who somebody is does not change with their address (decision email-change): neither a sanction nor a limit is escaped by it.

const unlimited = await testApp()
const limited = await testApp({ sibling: unlimited, settings: { LIMIT_SCALE: '1' } })
const app = unlimited
const admin = await createAdmin(app)

const openMailed = (action: string, token: string | undefined) =>
  app.visitor.post('/api/account-links', { action, token })
const SUSPENDED = [403, 'suspended']
const outcome = async (response: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await response
  return status < 300 ? status : [status, body.code]
}

/** Moves an account to another address, and returns its person signed in again. */
async function move(person: Person, email = newEmail()): Promise<Person> {
  const { current, fresh } = await requestChange(app, person, email)
  await openMailed('confirm', current.confirm)
  assert.equal((await openMailed('confirm', fresh.confirm)).body.state, 'changed')
  return app.signIn(email, PASSWORD)
}

async function undo(formerEmail: string): Promise<void> {
  const { text } = await mailAbout(app, formerEmail, /was changed/)
  const [, token] = /do=undo&token=([\w-]+)/.exec(text) ?? []
  assert.equal((await openMailed('undo', token)).body.state, 'undone')
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
