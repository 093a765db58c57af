import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { localizedPath, paths } from '#contract/paths.ts'
import { extractAuthLink } from '../auth-links.ts'
import { CIVIC } from '../disputes.ts'
import { drawPng, uploadImage } from '../upload.ts'
import { assertReads, list, register, send, sendTo, statuses } from './calls.ts'
import { keepPassword, NEXT_PASSWORD, ORIGIN, PASSWORD, signUpData, startWalk, type Walker } from './walk.ts'

// Requirements §3 and §4, over HTTP. Some of the people read English, some French. What an entity has for the server alone is not shown:
// whose a vehicle or a notification is follows from who asks (decision server-authorization), and nobody learns the id of a sender
// (decision mutual-anonymity).

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

const NOT_ACTIVE = 'That vehicle is not active yet.'

const walk = await startWalk()
after(() => walk.close())
const admin = await walk.admin()

const decide = (vehicle: { id: string }, action: string, input?: object) =>
  admin.post(`/api/admin/vehicles/${vehicle.id}/${action}`, input)
const notificationsOf = async (who: Walker) =>
  (await list(who, '/api/notifications')).map(({ type, data }) => [type, data.plate, data.vehicle_id])
const openDisputes = async (plate: string) =>
  (await list(admin, '/api/admin/inbox?kind=dispute')).filter((dispute) => dispute.plate === plate)

/** Asserts that the times of a record are of the last minutes. */
const assertRecent = (time: string) => assert.ok(Math.abs(Date.parse(time) - Date.now()) < 600_000, time)

const [keeper, writer] = [await walk.person(), await walk.person({ locale: 'fr-CA' })]

test('vehicle: id, plate, make, model, registration_year, province, status, created_at', async () => {
  const { vehicle } = await register(keeper, 'ENTITY1')
  const [shown] = await list(keeper, '/api/vehicles')
  const { id, created_at, ...rest } = shown
  assert.match(id, UUID)
  assertRecent(created_at)
  assert.partialDeepStrictEqual(rest, { ...CIVIC, plate: 'ENTITY1', status: 'active' })
  assert.equal(id, vehicle.id)
})

test('message: id, content, inserted_at, is_read, image_url, reply, vehicle_id, and the plate of its vehicle', async () => {
  const [vehicle] = await list(keeper, '/api/vehicles')
  const { body: image } = await uploadImage(writer, await drawPng())
  await send(writer, 'ENTITY1', 'See the photo.', { attachment_id: image.id })
  const [received] = await list(keeper, '/api/messages?view=received')
  const { id, inserted_at, image_url, ...rest } = received
  assert.match(id, UUID)
  assertRecent(inserted_at)
  assert.match(image_url, /\/message-attachments\//)
  const content = 'See the photo.'
  assert.partialDeepStrictEqual(rest, {
    content,
    is_read: false,
    reply: null,
    vehicle_id: vehicle.id,
    plate: 'ENTITY1',
  })
  assert.equal((await keeper.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
  const [sent] = await list(writer, '/api/messages?view=sent')
  assert.partialDeepStrictEqual(sent, { id, content, image_url, reply: 'Thank you', plate: 'ENTITY1' })
})

test('notification: id, type, data with plate and message_id or vehicle_id, is_read, created_at', async () => {
  for (const [who, type] of [
    [keeper, 'message_received'],
    [writer, 'message_replied'],
  ] as const) {
    const [{ id, created_at, data, ...rest }] = await list(who, '/api/notifications')
    assert.match(id, UUID)
    assertRecent(created_at)
    assert.equal(rest.type, type)
    assert.equal(typeof rest.is_read, 'boolean')
    assert.deepEqual([data.plate, UUID.test(data.message_id)], ['ENTITY1', true])
  }
})

test('sign-up: form, then verify-email, then dashboard', async () => {
  const visitor = walk.visitor('fr-CA')
  const email = 'form@example.com'
  const { data, secret } = signUpData('Sam Roy', 'fr-CA')
  const { status, body } = await visitor.post('/auth/v1/signup', { email, password: PASSWORD, data })
  assert.deepEqual([status, 'access_token' in body], [200, false])
  const landed = await walk.open(extractAuthLink(await walk.mail(email, / est votre code PlateNote$/)))
  assert.deepEqual([landed.status, landed.page], [303, ORIGIN + localizedPath(paths.verifyEmail(), 'fr-CA')])
  // the page starts a session with the tokens of the fragment
  const session = walk.withToken(landed.fragment['access_token']!)
  await keepPassword(session, secret)
  assert.deepEqual((await session.get('/api/dashboard')).body, {
    vehicles: { total: 0, this_month: 0 },
    messages: { total: 0, this_month: 0, unread: 0 },
    recent_messages: [],
    recent_vehicles: [],
    disputed_vehicles: [],
    email_unreachable: false,
    sent: null,
    waiting: null,
  })
})

test('password recovery: the link opens a session, in which a new password is chosen', async () => {
  const person = await walk.person()
  const asked = await person.post('/auth/v1/recover', { email: person.email })
  assert.deepEqual([asked.status, asked.body], [200, {}])
  const landed = await walk.open(extractAuthLink(await walk.mail(person.email, /password/i)))
  assert.deepEqual([landed.page, landed.fragment['type']], [ORIGIN + paths.resetPassword(), 'recovery'])
  const session = walk.withToken(landed.fragment['access_token']!)
  assert.equal((await session.put('/auth/v1/user', { password: NEXT_PASSWORD })).status, 200)
  const old = { email: person.email, password: PASSWORD }
  assert.equal((await person.post('/auth/v1/token?grant_type=password', old)).status, 400)
  assert.equal((await person.get('/auth/v1/user')).status, 403)
  const chosen = { email: person.email, password: NEXT_PASSWORD }
  assert.equal((await person.post('/auth/v1/token?grant_type=password', chosen)).status, 200)
})

describe('a vehicle and its messages', () => {
  let owner: Walker
  let sender: Walker
  let vehicle: { id: string }
  let messageId: string

  test('registration results in registered, and the vehicle is active at once', async () => {
    ;[owner, sender] = [await walk.person(), await walk.person()]
    const registration = await register(owner, 'OWN1')
    vehicle = registration.vehicle
    assert.deepEqual([registration.status, registration.vehicle.status], ['registered', 'active'])
    assert.deepEqual((await owner.get('/api/dashboard')).body.vehicles, { total: 1, this_month: 1 })
  })

  test('sending is allowed to an active vehicle', async () => {
    messageId = await send(sender, 'OWN1', 'Your lights are on.')
    const [message] = await list(owner, '/api/messages?view=received')
    assert.deepEqual([message.id, message.content, message.is_read], [messageId, 'Your lights are on.', false])
  })

  test('message: unread to read, toggled by the user', async () => {
    for (const is_read of [true, false]) {
      const { status, body } = await owner.patch(`/api/messages/${messageId}`, { is_read })
      assert.deepEqual([status, body.is_read], [200, is_read])
      // with what notified of it
      assert.deepEqual((await owner.get('/api/notifications/unread-count')).body, { count: is_read ? 0 : 1 })
    }
  })

  test('a reply can be set once; if a reply exists it is shown', async () => {
    const reply = (text: string, headers?: Record<string, string>) =>
      owner.post(`/api/messages/${messageId}/reply`, { reply: text }, headers)
    assert.equal((await reply('Thank you!')).status, 200)
    await assertReads((headers) => reply('Again', headers), 409, 'You have already replied to this message.')
    const [shown] = await list(sender, '/api/messages?view=sent')
    assert.deepEqual([shown.id, shown.reply], [messageId, 'Thank you!'])
    assert.equal((await owner.get(`/api/messages/${messageId}`)).body.reply, 'Thank you!')
  })

  test('notification: is_read toggles per item, or all set to read for the user', async () => {
    for (const text of ['They are still on.', 'Now they are dim.']) await send(sender, 'OWN1', text)
    const isRead = async () => (await list(owner, '/api/notifications?limit=2')).map(({ is_read }) => is_read)
    assert.deepEqual(await isRead(), [false, false])
    const unread = async () => (await owner.get('/api/notifications/unread-count')).body
    assert.deepEqual(await unread(), { count: 2 })
    const [newest] = await list(owner, '/api/notifications')
    for (const is_read of [true, false, true]) {
      const { body } = await owner.patch(`/api/notifications/${newest.id}`, { is_read })
      assert.equal(body.is_read, is_read)
      assert.deepEqual(await unread(), { count: is_read ? 1 : 2 })
    }
    assert.deepEqual(await isRead(), [true, false])
    assert.equal((await owner.post('/api/notifications/read-all')).status, 204)
    assert.deepEqual([await isRead(), await unread()], [[true, true], { count: 0 }])
  })

  describe('dispute: a second user registers a registered plate', () => {
    let second: Walker
    let secondVehicle: { id: string }

    test('both are paused: the result is dispute_started, and both vehicles are pending_verification', async () => {
      second = await walk.person({ locale: 'fr-CA' })
      const registration = await register(second, 'OWN1')
      secondVehicle = registration.vehicle
      assert.equal(registration.status, 'dispute_started')
      assert.deepEqual(
        [await statuses(owner), await statuses(second)],
        [['pending_verification'], ['pending_verification']],
      )
    })

    test('both are asked by email for proof (driver’s license and registration) within 5 business days', async () => {
      for (const [side, subject, wanted] of [
        [
          owner,
          /someone else registered plate/,
          [/within 5\s+business\s+days/, /driver’s\s+licence/, /registration\s+\(ownership\s+permit\)/],
        ],
        [
          second,
          /montrez que la plaque \S+ est à vous/,
          [/délai\s+de\s+5\s+jours\s+ouvrables/, /permis\s+de\s+conduire/, /certificat\s+d’immatriculation/],
        ],
      ] as const) {
        const { text } = await walk.mail(side.email, subject)
        for (const asked of wanted) assert.match(text, asked)
        assert.ok(text.includes('OWN1'))
      }
    })

    test('the plate is inactive (no messaging) for both until verified', async () => {
      await assertReads((headers) => sendTo(sender, 'OWN1', 'Still on', headers), 409, NOT_ACTIVE)
    })

    test('approval deletes every other pending vehicle of the plate and the dispute; the approved one is verified', async () => {
      assert.equal((await openDisputes('OWN1')).length, 1)
      assert.equal((await decide(vehicle, 'approve')).status, 204)
      assert.deepEqual(await openDisputes('OWN1'), [])
      assert.deepEqual([await statuses(owner), await statuses(second)], [['verified'], []])
    })

    test('its peer gets a vehicle_deleted notification and an email of type vehicle-deleted with the plate', async () => {
      assert.deepEqual(await notificationsOf(second), [['vehicle_deleted', 'OWN1', secondVehicle.id]])
      await walk.mail(second.email, /^Votre enregistrement de la plaque OWN1 a été supprimé/)
    })

    test('the approved owner, a Verified User, gets a vehicle_approved notification and an email of type vehicle-approved', async () => {
      const [newest] = await notificationsOf(owner)
      assert.deepEqual(newest, ['vehicle_approved', 'OWN1', vehicle.id])
      const { text } = await walk.mail(owner.email, /^Your plate OWN1 is verified/)
      assert.match(text, /Verified\s+PlateNote\s+User/)
    })

    test('nobody else can ever register the plate: a new verification starts, and the verified owner stays reachable', async () => {
      const third = await walk.person()
      assert.equal((await register(third, 'OWN1')).status, 'dispute_started')
      assert.deepEqual([await statuses(owner), await statuses(third)], [['verified'], ['pending_verification']])
      await send(sender, 'OWN1', 'Off again, thank you.')
      assert.deepEqual((await owner.get('/api/dashboard')).body.vehicles, { total: 1, this_month: 1 })
      assert.deepEqual((await third.get('/api/dashboard')).body.vehicles.total, 0)
    })
  })
})

test('rejection sets rejected; the owner gets a vehicle_rejected notification and an email with the reason; nobody can write to it', async () => {
  const refused = await walk.person({ locale: 'fr-CA' })
  const { vehicle } = await register(refused, 'BAD1')
  assert.equal((await decide(vehicle, 'reject', { reason: 'The plate is on another car.' })).status, 204)
  assert.deepEqual(await statuses(refused), ['rejected'])
  assert.deepEqual(await notificationsOf(refused), [['vehicle_rejected', 'BAD1', vehicle.id]])
  const { text } = await walk.mail(refused.email, /^Votre enregistrement de la plaque BAD1 a été refusé/)
  assert.ok(text.includes('The plate is on another car.'), text)
  assert.equal((await refused.get('/api/dashboard')).body.vehicles.total, 0)
  await assertReads((headers) => sendTo(admin, 'BAD1', 'Hello', headers), 409, NOT_ACTIVE)
})

test('approval is allowed unless already verified, rejection unless already rejected', async () => {
  const owner = await walk.person()
  const { vehicle } = await register(owner, 'TWICE1')
  const reason = { reason: 'No.' }
  assert.equal((await decide(vehicle, 'approve')).status, 204)
  assert.equal((await decide(vehicle, 'approve')).body.code, 'already_verified')
  assert.equal((await decide(vehicle, 'reject', reason)).status, 204)
  assert.equal((await decide(vehicle, 'reject', reason)).body.code, 'already_rejected')
  assert.equal((await decide(vehicle, 'approve')).status, 204)
})

test('when a vehicle is sold, its new owner starts a new verification', async () => {
  const [seller, buyer] = [await walk.person(), await walk.person()]
  const { vehicle } = await register(seller, 'SOLD1')
  assert.equal((await decide(vehicle, 'approve')).status, 204)
  const bought = await register(buyer, 'SOLD1')
  assert.deepEqual([bought.status, bought.vehicle.status], ['dispute_started', 'pending_verification'])
  const { text } = await walk.mail(buyer.email, /show that plate \S+ is yours/)
  assert.match(text, /within 5\s+business\s+days/)
  assert.equal((await seller.delete(`/api/vehicles/${vehicle.id}`)).status, 204)
  assert.deepEqual(await statuses(buyer), ['active'])
})
