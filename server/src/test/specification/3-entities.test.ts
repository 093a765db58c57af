import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { LOCALES } from '#contract/product.ts'
import { CIVIC } from '../disputes.ts'
import { downloadImage, uploadImage } from '../upload.ts'
import { list, register, send } from './calls.ts'
import { PASSWORD, SUPPORT, startWalk, type Walker } from './walk.ts'

// Requirements §3, over HTTP. What an entity has for the server alone is not shown: whose a vehicle or a notification is follows from
// who asks (decision server-authorization), and nobody learns the id of a sender (decision mutual-anonymity).

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

const walk = await startWalk()
after(() => walk.close())
const [owner, sender] = [await walk.person({ fullName: 'Sam Roy' }), await walk.person({ locale: 'fr-CA' })]

/** Asserts that the times of a record are of the last minutes. */
const assertRecent = (time: string) => assert.ok(Math.abs(Date.parse(time) - Date.now()) < 300_000, time)

test('session: access_token, refresh_token, expires_in, expires_at, user; user: id, email, created_at, full_name', async () => {
  const credentials = { email: owner.email, password: PASSWORD }
  const { body } = await walk.visitor().post('/auth/v1/token?grant_type=password', credentials)
  assert.ok(body.access_token && body.refresh_token)
  assert.equal(body.expires_in, 3600)
  assert.ok(Math.abs(body.expires_at - Date.now() / 1000 - 3600) < 60)
  assert.deepEqual([body.user.id, body.user.email], [owner.id, owner.email])
  assertRecent(body.user.created_at)
  assert.equal(body.user.user_metadata.full_name, 'Sam Roy')
})

test('the is_admin flag is in the metadata of admin accounts alone', async () => {
  const admin = await walk.admin()
  const metadata = async (who: Walker) => (await who.get('/auth/v1/user')).body.user_metadata
  assert.equal((await metadata(admin)).is_admin, true)
  assert.equal('is_admin' in (await metadata(owner)), false)
})

test('vehicle: id, plate, make, model, registration_year, province, status, created_at', async () => {
  const { vehicle } = await register(owner, 'ENTITY1')
  const [shown] = await list(owner, '/api/vehicles')
  const { id, created_at, ...rest } = shown
  assert.match(id, UUID)
  assertRecent(created_at)
  assert.partialDeepStrictEqual(rest, { ...CIVIC, plate: 'ENTITY1', status: 'active' })
  assert.equal(id, vehicle.id)
})

test('attachment storage: a bucket named message-attachments, with publicly readable URLs', async () => {
  const photo = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#a33' } })
    .jpeg()
    .toBuffer()
  const { status, body } = await uploadImage(sender, photo)
  assert.equal(status, 201)
  assert.match(body.url, /^\/storage\/v1\/object\/public\/message-attachments\/[^/]+$/)
  const image = await downloadImage(walk.url + body.url)
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/webp'])
  await send(sender, 'ENTITY1', 'See the photo.', { attachment_id: body.id })
})

test('message: id, content, inserted_at, is_read, image_url, reply, vehicle_id, and the plate of its vehicle', async () => {
  const [vehicle] = await list(owner, '/api/vehicles')
  const [received] = await list(owner, '/api/messages?view=received')
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
  assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
  const [sent] = await list(sender, '/api/messages?view=sent')
  assert.partialDeepStrictEqual(sent, { id, content, image_url, reply: 'Thank you', plate: 'ENTITY1' })
})

test('notification: id, type, data with plate and message_id or vehicle_id, is_read, created_at', async () => {
  for (const [who, type] of [
    [owner, 'message_received'],
    [sender, 'message_replied'],
  ] as const) {
    const [{ id, created_at, data, ...rest }] = await list(who, '/api/notifications')
    assert.match(id, UUID)
    assertRecent(created_at)
    assert.equal(rest.type, type)
    assert.equal(typeof rest.is_read, 'boolean')
    assert.deepEqual([data.plate, UUID.test(data.message_id)], ['ENTITY1', true])
  }
})

test('catalogue of makes and models: a static JSON file that maps each make to a list of models', async () => {
  const { status, body } = await walk.visitor().get('/make_models.json')
  assert.equal(status, 200)
  assert.ok(body.Honda.includes('Civic'))
  for (const models of Object.values<string[]>(body)) assert.ok(models.length > 0 && models.every((m) => m.length > 0))
})

for (const locale of LOCALES) {
  test(`contact submission in ${locale}: name, email, subject, message`, async () => {
    const form = {
      ...{ type: 'contact', to: SUPPORT, name: 'Zoé Tremblay', email: `zoe-${locale.toLowerCase()}@example.com` },
      ...{ subject: 'partnership', message: `Bonjour from ${locale}` },
    }
    const { status, body } = await walk.visitor(locale).post('/send-email', form)
    assert.deepEqual([status, body], [200, {}])
    const { subject, text } = await walk.mail(SUPPORT, locale === 'en' ? /Partnership$/ : /Partnership \(/)
    assert.match(subject, /Partnership/)
    for (const typed of [form.name, form.email, form.message]) assert.ok(text.includes(typed), text)
  })
}
