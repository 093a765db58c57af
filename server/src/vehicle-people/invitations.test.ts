import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantAdmin } from '../auth/admin-role.ts'
import { newEmail, PASSWORD, testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
import { waitForLockWaits } from '../test/locks.ts'
import { suspend } from '../test/sanctions.ts'
import { accept, assertInvalid, invite, myId, peopleOf, shared } from '../test/vehicle-people.ts'

const app = await testApp({ settings: { ROLE: 'web' } })

/** How somebody comes to the people of a vehicle (decision vehicle-people). */
describe('invitations to drive a vehicle', () => {
  test('an invitation works once, as it is typed, until it is withdrawn or over, and not for suspended people', async () => {
    const [owner, first, second] = [await app.user(), await app.user(), await app.user()]
    const { id } = await app.vehicle(owner)
    const used = await invite(owner, id)
    assert.match(used.code, /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/)
    assert.equal(used.url, `http://platenote.test/invite#code=${used.code.replace('-', '')}`)
    const minutes = (Date.parse(used.expires_at) - Date.now()) / 60_000
    assert.ok(minutes > 14 && minutes <= 15, `${minutes}`)
    assert.equal((await accept(first, ` ${used.code.toLowerCase().replace('-', ' ')} `)).status, 200)
    assertInvalid(await accept(second, used.code))

    const withdrawn = await invite(owner, id)
    assert.deepEqual(
      (await peopleOf(owner, id)).invitations.map((one: { id: string; kind: string }) => [one.id, one.kind]),
      [[withdrawn.id, 'code']],
    )
    assert.equal((await first.delete(`/api/invitations/${withdrawn.id}`)).status, 404)
    assert.equal((await owner.delete(`/api/invitations/${withdrawn.id}`)).status, 204)
    assertInvalid(await accept(second, withdrawn.code))

    const expired = await invite(owner, id)
    await app.db`update vehicle_invitations set expires_at = now() where id = ${expired.id}`
    assertInvalid(await accept(second, expired.code))
    assertInvalid(await accept(second, 'ABCD-2345'))

    const open = await invite(owner, id)
    assert.equal((await accept(owner, open.code)).body.code, 'already_in_vehicle')
    assert.equal((await accept(first, open.code)).body.code, 'already_in_vehicle')
    const admin = await app.user()
    await grantAdmin(app.db, admin.email)
    await suspend(await app.signIn(admin.email, admin.password), second)
    const again = await app.signIn(second.email, second.password)
    assert.equal((await accept(again, open.code)).body.code, 'suspended')
    await suspend(await app.signIn(admin.email, admin.password), owner)
    assertInvalid(await accept(await app.user(), open.code))
    assert.equal((await peopleOf(first, id)).items.length, 2)
  })

  test('a driver who leaves at the moment somebody joins is not told of it', async () => {
    const { owner, driver, vehicle } = await shared(app)
    const newcomer = await app.user()
    const { code } = await invite(owner, vehicle.id)
    let joining: ReturnType<typeof accept> | undefined
    await app.db.begin(async (tx) => {
      await tx`delete from vehicle_drivers where vehicle_id = ${vehicle.id} and user_id = ${driver.id}`
      joining = accept(newcomer, code)
      await Promise.race([joining, waitForLockWaits(app.db)])
    })
    assert.equal((await joining)?.status, 200)
    assert.equal((await peopleOf(owner, vehicle.id)).items.length, 2)
    const told = await app.db<{ user_id: string }[]>`
      select user_id from notifications where type = 'driver_joined' and user_id in (${owner.id}, ${driver.id})`
    const mailed = await app.db<{ user_id: string }[]>`
      select recipient_id as user_id from outbox where kind = 'driver_joined' and recipient_id in (${owner.id}, ${driver.id})`
    // of the driver's own joining the owner was told too
    for (const rows of [told, mailed]) assert.deepEqual(fieldsOf(rows, 'user_id'), [owner.id, owner.id])
  })

  test('a link works for its address alone, and says nothing about it', async () => {
    const owner = await app.user()
    const { id } = await app.vehicle(owner)
    const somebody = await app.user({ email: newEmail().replace('@', '.link@') })
    const links = [
      await invite(owner, id, { email: somebody.email.replace('@', '+x@') }),
      await invite(owner, id, { email: newEmail() }),
    ]
    const shape = ({ code, url, expires_at }: (typeof links)[number]) => [
      code.length,
      url.replace(code, ''),
      Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000),
    ]
    assert.deepEqual(shape(links[0]!), [43, 'http://platenote.test/invite#code=', 7 * 24])
    assert.deepEqual(shape(links[1]!), shape(links[0]!))
    const [row] = await app.db<{ text: string }[]>`select string_agg(t::text, ' ') as text from vehicle_invitations t`
    assert.ok(!row!.text.includes('@'))
    assertInvalid(await accept(await app.user(), links[0]!.code))
    assert.equal((await accept(somebody, links[0]!.code)).status, 200)
    const dead = await app.vehicle(owner, { status: 'rejected' })
    assert.equal((await owner.post(`/api/vehicles/${dead.id}/invitations`)).body.code, 'vehicle_not_active')
  })

  test('whoever the owner removes comes back by no other invitation, and who leaves takes none along', async () => {
    const owner = await app.user()
    const [former, leaver, friend] = [await app.user(), await app.user(), await app.user()]
    const { id } = await app.vehicle(owner)
    const other = await app.vehicle(owner)
    const first = await invite(owner, id, { email: former.email })
    const second = await invite(owner, id, { email: former.email })
    const elsewhere = await invite(owner, other.id)
    assert.equal((await accept(former, first.code)).status, 200)
    const personId = await myId(former, id)

    assert.equal((await accept(leaver, (await invite(owner, id)).code)).status, 200)
    assert.equal((await leaver.delete(`/api/vehicles/${id}/people/${await myId(leaver, id)}`)).status, 204)
    assert.equal((await owner.delete(`/api/vehicles/${id}/people/${other.id}`)).status, 404)
    assert.deepEqual(
      (await peopleOf(owner, id)).invitations.map((one: { id: string }) => one.id),
      [second.id],
    )

    assert.equal((await owner.delete(`/api/vehicles/${id}/people/${personId}`)).status, 204)
    assertInvalid(await accept(former, second.code))
    const { items, invitations } = await peopleOf(owner, id)
    assert.deepEqual([items.length, invitations], [1, []])
    assert.equal((await accept(friend, elsewhere.code)).status, 200, 'other vehicles keep theirs')
  })

  test('a new password withdraws the invitations of all vehicles that somebody owns', async () => {
    const { owner, driver, vehicle } = await shared(app)
    const somebody = await app.user()
    const own = await app.vehicle(driver)
    const kept = await invite(driver, own.id)
    const withdrawn = [await invite(owner, vehicle.id), await invite(owner, (await app.vehicle(owner)).id)]
    assert.equal((await owner.put('/auth/v1/user', { data: { full_name: 'Olga Roy-Lee' } })).status, 200)
    assert.equal((await peopleOf(owner, vehicle.id)).invitations.length, 1)
    const passwords = { password: 'Another-horse-8', current_password: PASSWORD }
    assert.equal((await owner.put('/auth/v1/user', passwords)).status, 200)
    for (const { code } of withdrawn) assertInvalid(await accept(somebody, code))
    assert.equal((await peopleOf(owner, vehicle.id)).items.length, 2)
    assert.equal((await accept(somebody, kept.code)).status, 200)
  })

  test('nine drivers at most, and one who leaves makes room', async () => {
    await using strict = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1', ROLE: 'web' } })
    const owner = await app.user()
    const { id } = await app.vehicle(owner)
    const drivers = await Promise.all(Array.from({ length: 9 }, () => app.user()))
    const joinStrictly = async ({ token }: { token: string }) =>
      strict.withToken(token).post('/api/invitations/accept', { code: (await invite(owner, id)).code })
    for (const driver of drivers) assert.equal((await joinStrictly(driver)).status, 200)
    const tenth = await app.user()
    const { status, body } = await joinStrictly(tenth)
    assert.deepEqual([status, body.code], [409, 'vehicle_full'])
    const [first] = drivers
    assert.equal((await first!.delete(`/api/vehicles/${id}/people/${await myId(first!, id)}`)).status, 204)
    assert.equal((await joinStrictly(tenth)).status, 200)
  })
})
