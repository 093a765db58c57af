import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantAdmin } from '../auth/admin-role.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { verifiedWith, withFactor } from '../test/factors.ts'
import { suspend } from '../test/sanctions.ts'

// What admins need in production (decision second-factor): a second factor, a fresh one for what cannot be undone, and short sessions.

const app: TestApp = await testApp({ settings: { ADMIN_SECOND_FACTOR: 'required' } })
const optional: TestApp = await testApp()

async function newAdmin(where: TestApp = app): Promise<Person> {
  const person = await where.user()
  await grantAdmin(where.db, person.email)
  return person
}

const outcome = async (response: Promise<{ status: number; body: { code?: string } | undefined }>) => {
  const { status, body } = await response
  return status < 300 ? status : [status, body?.code]
}

/** Lets time pass since the session's second factor. */
const age = (admin: Person, minutes: number) =>
  app.db`
    update auth.sessions set factor_verified_at = now() - make_interval(mins => ${minutes}) where user_id = ${admin.id}`

test('a second factor is optional outside production, for admins who have none', async () => {
  const admin = await newAdmin(optional)
  assert.equal(await outcome(admin.get('/api/admin/stats')), 200)
  await withFactor(optional, admin)
  const elsewhere = await optional.signIn(admin.email, admin.password)
  assert.deepEqual(await outcome(elsewhere.get('/api/admin/stats')), [403, 'second_factor_required'])
})

describe('a fresh second factor', () => {
  test('is needed to delete people and vehicles', async () => {
    const admin = await withFactor(app, await newAdmin())
    const owner = await app.user()
    const vehicle = await app.vehicle(owner)
    const removeVehicle = (who: Person) => outcome(who.delete(`/api/admin/vehicles/${vehicle.id}`))
    const removeUser = (who: Person) => outcome(who.post('/functions/v1/delete-user', { id: owner.id }))
    await age(admin, 11)
    assert.deepEqual(await removeVehicle(admin), [403, 'fresh_factor_required'])
    assert.deepEqual(await removeUser(admin), [403, 'fresh_factor_required'])
    assert.equal(await outcome(admin.get('/api/admin/vehicles')), 200)
    const fresh = await verifiedWith(app, admin, admin.factorId, admin.secret)
    assert.equal(await removeVehicle(fresh), 204)
    assert.equal(await removeUser(fresh), 200)
  })

  /** A plate in every state in which one of its vehicles has it, and others would. */
  const plates: Record<string, () => Promise<{ holder: string; challenger: string | null; ended: string | null }>> = {
    async 'a live vehicle'() {
      return { holder: (await app.vehicle(await app.user())).id, challenger: null, ended: null }
    },
    async 'a vehicle that a challenge pauses'() {
      const { plate, id } = await app.vehicle(await app.user())
      return { holder: id, challenger: (await app.vehicle(await app.user(), { plate })).id, ended: null }
    },
    async 'a verified vehicle that is challenged'() {
      const { plate, id } = await app.vehicle(await app.user(), { status: 'verified' })
      return { holder: id, challenger: (await app.vehicle(await app.user(), { plate })).id, ended: null }
    },
    async 'a paused vehicle beside one that was rejected'() {
      const { plate, id: ended } = await app.vehicle(await app.user())
      await app.db`update vehicles set status = 'rejected' where id = ${ended}`
      const { id } = await app.vehicle(await app.user(), { plate })
      return { holder: id, challenger: (await app.vehicle(await app.user(), { plate })).id, ended }
    },
  }
  for (const [what, make] of Object.entries(plates))
    test(`is needed for whatever takes its plate from ${what}, and not to leave it there`, async () => {
      const admin = await withFactor(app, await newAdmin())
      await age(admin, 11)
      const { holder, challenger, ended } = await make()
      const approve = (id: string) => outcome(admin.post(`/api/admin/vehicles/${id}/approve`))
      const reject = (id: string) => outcome(admin.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Not theirs' }))
      const statuses = () =>
        app.db`select id, status from vehicles where id = any(${[holder, challenger, ended]}) order by id`
      const before = await statuses()
      for (const taking of [reject(holder), ...[challenger, ended].filter((id) => id !== null).map(approve)])
        assert.deepEqual(await taking, [403, 'fresh_factor_required'])
      assert.deepEqual(await statuses(), before)
      if (challenger !== null) assert.equal(await reject(challenger), 204)
      else assert.equal(await approve(holder), 204)
    })

  test('is needed to grant an appeal, as to lift what it is about', async () => {
    const [admin, other] = [await withFactor(app, await newAdmin()), await withFactor(app, await newAdmin())]
    const person = await app.user()
    await suspend(admin, person)
    const again = await app.signIn(person.email, person.password)
    const { body } = await again.post('/api/appeals', { text: 'It was not me' })
    await age(other, 11)
    const decide = (uphold: boolean) =>
      outcome(other.post(`/api/admin/appeals/${body.id}/decide`, { uphold, reason: 'I read it' }))
    assert.deepEqual(await decide(false), [403, 'fresh_factor_required'])
    assert.equal(await decide(true), 204)
  })
})

describe('an admin’s session', () => {
  const ended = async (change: (admin: Person) => Promise<unknown>, person: () => Promise<Person>) => {
    const who = await person()
    await who.get('/api/dashboard')
    await change(who)
    return outcome(who.get('/api/dashboard'))
  }
  const unused = (minutes: number) => (admin: Person) =>
    app.db`
      with sessions as (
        update auth.sessions set created_at = now() - interval '2 hours' where user_id = ${admin.id} returning id
      )
      insert into auth.session_uses (session_id, used_at)
      select id, now() - make_interval(mins => ${minutes}) from sessions
      on conflict (session_id) do update set used_at = excluded.used_at`
  const begun = (hours: number) => (admin: Person) =>
    app.db`update auth.sessions set created_at = now() - make_interval(hours => ${hours}) where user_id = ${admin.id}`

  test('ends after half an hour without use, and after 12 hours', async () => {
    assert.equal(await ended(unused(29), () => newAdmin()), 200)
    assert.deepEqual(await ended(unused(31), () => newAdmin()), [401, 'session_ended'])
    assert.equal(await ended(begun(11), () => newAdmin()), 200)
    assert.deepEqual(await ended(begun(13), () => newAdmin()), [401, 'session_ended'])
    // nobody else's does
    assert.equal(await ended(unused(31), () => app.user()), 200)
    assert.equal(await ended(begun(13), () => app.user()), 200)
  })

  test('is kept by its use, not by its renewal, and cannot be renewed afterwards', async () => {
    const admin = await newAdmin()
    await unused(20)(admin)
    await admin.get('/api/dashboard')
    const [row] = await app.db<{ recent: boolean }[]>`
      select bool_or(used_at > now() - interval '1 minute') as recent
      from auth.session_uses join auth.sessions s on s.id = session_id where user_id = ${admin.id}`
    assert.equal(row?.recent, true)
    await unused(31)(admin)
    const renewal = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: admin.refreshToken,
    })
    assert.deepEqual([renewal.status, renewal.body.error_code], [400, 'session_expired'])
  })
})

describe('look-ups', () => {
  const lookUps = async (admin: Person) =>
    (
      await app.db<{ action: string; subject: string }[]>`
        select action, subject from audit_log
        where actor_id = ${admin.id} and action in ('users_looked_up', 'vehicles_looked_up', 'user_looked_up')
        order by id`
    ).map(({ action, subject }) => [action, subject.replace(/^[0-9a-f]{10}/, 'hash')])

  test('that show people are recorded: who asked, a hash of the question, how many were shown', async () => {
    const admin = await withFactor(app, await newAdmin())
    const owner = await app.user({ email: 'looked-up@example.com' })
    await app.vehicle(owner, { plate: 'LOOKUP1' })
    await admin.post('/rest/v1/rpc/get_users', { search: 'looked-up@' })
    await admin.post('/rest/v1/rpc/get_users', { search: 'nobody-has-this' })
    await admin.get('/api/admin/vehicles?plate=lookup1')
    await admin.get('/api/admin/vehicles?plate=lookup1') // the page was loaded again
    await admin.get(`/api/admin/users/${owner.id}`)
    assert.deepEqual(await lookUps(admin), [
      ['users_looked_up', 'hash · 1'],
      ['vehicles_looked_up', 'hash · 1'],
      ['user_looked_up', 'l•••@•••.com'],
    ])
    const [{ text } = { text: '' }] = await app.db<{ text: string }[]>`
      select string_agg(a::text, ' ') as text from audit_log a where actor_id = ${admin.id}`
    assert.doesNotMatch(text, /looked-up@|lookup1/i)
    const { body } = await admin.get('/api/admin/audit-log?limit=3')
    assert.equal(body.items[0].action, 'user_looked_up')
  })

  test('are recorded again for another admin, and when another number of people is shown', async () => {
    const [first, second] = [await withFactor(app, await newAdmin()), await withFactor(app, await newAdmin())]
    const question = { search: 'shown-twice@' }
    await app.user({ email: 'shown-twice@example.com' })
    for (const admin of [first, second, first]) await admin.post('/rest/v1/rpc/get_users', question)
    await app.user({ email: 'also-shown-twice@example.com' })
    for (const admin of [first, first]) await admin.post('/rest/v1/rpc/get_users', question)
    assert.deepEqual(await lookUps(first), [
      ['users_looked_up', 'hash · 1'],
      ['users_looked_up', 'hash · 2'],
    ])
    assert.deepEqual(await lookUps(second), [['users_looked_up', 'hash · 1']])
  })
})
