import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { grantAdmin, revokeAdmin } from '../auth/admin-role.ts'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { assertEnds, openStream } from '../test/event-stream.ts'
import { withFactor } from '../test/factors.ts'
import { fieldsOf } from '../test/fields.ts'
import { mailAbout, outcome, personOf, suspend } from '../test/sanctions.ts'

const app = await testApp()
const sibling = await testApp({ settings: { DATABASE_POOL: '4' }, sibling: app })
const admin = await createAdmin(app)

const SUSPENDED = [403, 'suspended']
const lift = (id: string, who = admin) => who.post(`/api/admin/people/${id}/lift`, { reason: 'It was a mistake.' })
const send = (from: Person, plate: string) => from.post('/api/messages', { plate, content: 'Your lights are on' })

describe('a suspension', () => {
  test('ends sessions, streams and tokens at once, in every process, and shows in every call', async () => {
    const person = await app.user()
    const elsewhere = await app.signIn(person.email, PASSWORD)
    const streams = [await openStream(app.url, person.token), await openStream(sibling.url, elsewhere.token)]
    await Promise.all(streams.map((stream) => stream.next((e) => e.event === 'unread')))
    await assertEnds(streams, () => suspend(admin, person))

    const here = sibling.withToken(person.token)
    for (const response of [person.get('/api/vehicles'), here.get('/api/vehicles'), here.post('/api/messages', {})])
      assert.deepEqual(await outcome(response), SUSPENDED)
    assert.equal((await openStream(sibling.url, elsewhere.token)).status, 403)
    const refresh = { refresh_token: elsewhere.refreshToken }
    const { status, body } = await app.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh)
    assert.deepEqual([status, body.error_code], [400, 'refresh_token_not_found'])
  })

  test('leaves what is the person’s by law: signed in again they read why, export and delete, and nothing else', async () => {
    const person = await app.user()
    await suspend(admin, person, { reason: 'You threatened somebody.', days: 3 })
    // what is left of the earlier session gives nothing away
    assert.deepEqual(await outcome(person.post('/api/appeals/sanction', {})), [401, 'session_ended'])
    const again = await app.signIn(person.email, PASSWORD)
    for (const path of ['/api/vehicles', '/api/preferences', '/api/sessions', '/api/dashboard', '/api/notifications'])
      assert.deepEqual(await outcome(again.get(path)), SUSPENDED, path)
    const { status, body } = await again.post('/api/appeals/sanction', {})
    assert.deepEqual(
      [status, body.kind, body.reason, body.in_force],
      [200, 'suspend', 'You threatened somebody.', true],
    )
    assert.ok(Math.abs(Date.parse(body.ends_at) - Date.now() - 3 * 86_400_000) < 600_000)
    const { status: exported, body: data } = await again.get('/api/export')
    assert.equal(exported, 200)
    assert.deepEqual(fieldsOf(data.sanctions, 'kind', 'reason'), [['suspend', 'You threatened somebody.']])
    const other = await app.user()
    assert.deepEqual(await outcome(again.post('/functions/v1/delete-user', { id: other.id })), SUSPENDED)
    assert.equal(await outcome(again.post('/functions/v1/delete-user', { id: person.id })), 200)
  })

  test('is inherited by a new account of the same mailbox, whose sign-up is taken, and outlives the account', async () => {
    const name = `jo.roy${randomUUID().slice(0, 8)}`
    const person = await app.user({ email: `${name}@gmail.com` })
    const id = await suspend(admin, person)
    const again = await app.signIn(person.email, PASSWORD)
    assert.equal(await outcome(again.post('/functions/v1/delete-user', { id: person.id })), 200)

    const next = await app.user({ email: `${name.replace('.', '')}+next@googlemail.com` })
    assert.deepEqual(await outcome(next.get('/api/vehicles')), SUSPENDED)
    assert.deepEqual(await outcome(next.post('/register-plate', {})), SUSPENDED)
    const { body } = await admin.get(`/api/admin/people/${id}`)
    assert.deepEqual([body.suspended, body.accounts.length, body.accounts[0].id], [true, 1, next.id])
    assert.equal(body.accounts[0].address, 'j•••@googlemail.com')
    assert.equal(await outcome(lift(id)), 200)
    assert.equal(await outcome(next.get('/api/vehicles')), 200)
  })

  test('makes the plates of the person answer as one that is not active, also beside a live one', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const inactive = await app.vehicle(await app.user(), { status: 'pending_verification' })
    const [suspendedPlate, other] = [await app.vehicle(owner, { plate: 'TWICE1' }), await app.user()]
    await app.vehicle(other, { plate: suspendedPlate.plate, province: 'Manitoba' })
    const id = await suspend(admin, owner)
    const refused = await send(sender, plate)
    assert.deepEqual([refused.status, refused.body], [409, (await send(sender, inactive.plate)).body])
    assert.equal(refused.body.code, 'vehicle_not_active')
    // only one of the two provinces is reachable, so nobody is asked for it
    assert.equal((await send(sender, 'TWICE1')).status, 201)
    assert.equal((await other.get('/api/messages?view=received')).body.items.length, 1)
    assert.equal(await outcome(lift(id)), 200)
    assert.equal((await send(sender, plate)).status, 201)
    assert.deepEqual(await outcome(send(sender, 'TWICE1')), [409, 'province_needed'])
  })

  test('ends by itself after its days', async () => {
    const person = await app.user()
    const id = await suspend(admin, person, { reason: 'A short one', days: 1 })
    const again = await app.signIn(person.email, PASSWORD)
    assert.deepEqual(await outcome(again.get('/api/vehicles')), SUSPENDED)
    await app.db`update sanctions set ends_at = now() where subject_id = ${id}`
    assert.equal(await outcome(again.get('/api/vehicles')), 200)
    assert.deepEqual(await outcome(lift(id)), [409, 'nothing_to_lift'])
  })

  test('is announced to every account of the person in their language, and so is its end', async () => {
    const name = `lea${randomUUID().slice(0, 8)}`
    const [one, two] = [
      await app.user({ email: `${name}@example.com`, locale: 'en' }),
      await app.user({ email: `${name}+fr@example.com`, locale: 'fr-CA' }),
    ]
    const id = await suspend(admin, one, { reason: 'Two threats in one day.', days: 30 })
    const english = await mailAbout(app, one.email, /suspended/)
    const french = await mailAbout(app, two.email, /suspendu/)
    for (const { text } of [english, french]) {
      assert.match(text, /Two threats in one day\./)
      assert.match(text, /\/appeal#token=[\w-]{43}/)
    }
    await lift(id)
    assert.match((await mailAbout(app, one.email, /as before/)).text, /It was a mistake\./)
  })
})

describe('suspending and lifting', () => {
  test('is recorded with its reason, and done once', async () => {
    const person = await app.user()
    const id = await suspend(admin, person)
    assert.deepEqual(await outcome(admin.post(`/api/admin/people/${id}/suspend`, { reason: 'Again' })), [
      409,
      'already_suspended',
    ])
    await lift(id)
    const { body } = await admin.get('/api/admin/audit-log?limit=100')
    const entries = body.items.filter((entry: { subject_id: string }) => entry.subject_id === id)
    assert.deepEqual(fieldsOf(entries, 'action', 'reason', 'actor_email'), [
      ['suspension_lifted', 'It was a mistake.', admin.email],
      ['user_suspended', 'You threatened somebody.', admin.email],
    ])
    const { body: page } = await admin.get(`/api/admin/people/${id}`)
    const [sanction] = page.sanctions
    assert.deepEqual(
      [page.suspended, page.sanctions.length, sanction.in_force, sanction.lift_reason, sanction.decided_by_email],
      [false, 1, false, 'It was a mistake.', admin.email],
    )
  })

  test('needs an admin who has just confirmed the second step', async () => {
    await using strict = await testApp({ settings: { ADMIN_SECOND_FACTOR: 'required' }, sibling: app })
    const id = await personOf(admin, await app.user())
    const moderator = await withFactor(strict, await createAdmin(strict))
    await app.db`
      update auth.sessions set factor_verified_at = now() - interval '11 minutes' where user_id = ${moderator.id}`
    for (const verb of ['suspend', 'lift']) {
      const attempt = (who: Pick<Person, 'post'>) =>
        outcome(who.post(`/api/admin/people/${id}/${verb}`, { reason: 'No' }))
      assert.deepEqual(await attempt(moderator), [403, 'fresh_factor_required'])
    }
    assert.equal((await app.db`select from sanctions where subject_id = ${id}`).length, 0)
  })

  test('spares the last admin who can sign in', async () => {
    const [first, second] = [await createAdmin(app), await createAdmin(app)]
    const others = await app.db<{ id: string; email: string }[]>`
      select id, email from auth.users where is_admin and not id = any(${[first.id, second.id]}::uuid[])`
    for (const { email } of others) assert.equal(await revokeAdmin(app.db, email), 'revoked')
    try {
      const secondId = await suspend(first, second)
      assert.deepEqual(
        await outcome(first.post(`/api/admin/people/${await personOf(first, first)}/suspend`, { reason: 'No' })),
        [409, 'last_admin_suspended'],
      )
      // nobody counts on somebody who is suspended
      assert.equal(await revokeAdmin(app.db, first.email), 'last_admin')
      assert.deepEqual(await outcome(first.post('/functions/v1/delete-user', { id: first.id })), [409, 'last_admin'])
      // somebody who is suspended decides nothing, whatever they were
      const again = await app.signIn(second.email, PASSWORD)
      assert.deepEqual(await outcome(lift(secondId, again)), SUSPENDED)
    } finally {
      for (const { email } of others) await grantAdmin(app.db, email)
    }
  })
})
