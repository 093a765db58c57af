import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { acceptedEncodings } from '../http/static-pages.ts'
import { allItems, type Person, type TestResponse, testApp } from '../test/app.ts'
import {
  CIVIC,
  createAdmin,
  createTwoUsers,
  expireDocumentsDueDate,
  onlyVehicleOf,
  openChallenges,
  registerPlate,
  vehicleStates,
  waitForMail,
} from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { rawRequest } from '../test/raw-request.ts'
import catalogue from './make-models.json' with { type: 'json' }
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

const KEY = 'a-service-key-of-more-than-32-characters'
const app = await testApp({ settings: { SERVICE_KEY: KEY } })
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })

const register = (who: Person, plate: string, extra: object = {}) =>
  who.post('/register-plate', { plate, ...CIVIC, ...extra })
/** Creates somebody who registers with the real limits. */
const limitedUser = async () => {
  const { email, password } = await app.user()
  return limited.signIn(email, password)
}

test('a coach, a motorhome and what the catalogue does not list are registered, and no name that every object has', async () => {
  const owner = await app.user()
  for (const [index, [make, model]] of [
    ['Prevost', 'H3-45'],
    ['Leisure Travel Vans', 'Unity'],
    ['Other', 'Other'],
  ].entries()) {
    const { body } = await register(owner, `KIND${index}`, { make, model })
    assert.deepEqual([body.vehicle.make, body.vehicle.model], [make, model])
  }
  for (const make of ['__proto__', 'constructor']) {
    const { status, body } = await register(owner, 'KIND9', { make })
    assert.deepEqual([status, body.fields], [400, { make: 'Please choose a make from the list.' }])
  }
})

test('every registration counts, whatever its answer: each reveals which plates are taken', async () => {
  const [owner, person] = [await limitedUser(), await limitedUser()]
  for (const plate of ['TAKEN1', 'TAKEN2']) await register(owner, plate)
  const answers: string[] = []
  for (const plate of ['TAKEN1', 'OWN1', 'OWN1', ...Array<string>(7).fill('TAKEN2')]) {
    const { body } = await register(person, plate)
    answers.push(body.status ?? body.code)
  }
  const { body, headers } = await register(person, 'OWN2')
  answers.push(body.code)
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 2 * 24 * 3600, `retry-after is ${wait}`)
  assert.deepEqual(answers, [
    ...['dispute_started', 'registered', 'already_yours'],
    ...Array(7).fill('open_challenge'),
    'too_many_requests',
  ])
})

test('an account can have twenty vehicles, not counting rejected ones', async () => {
  const owner = await limitedUser()
  await app.db`
    insert into vehicles (id, user_id, plate, make, model, registration_year, province, status)
    select gen_random_uuid(), ${owner.id}, 'HELD' || n, 'Honda', 'Civic', 2020, 'Ontario',
      case when n = 20 then 'rejected' else 'active' end
    from generate_series(1, 20) n`
  assert.equal((await register(owner, 'HELD21')).status, 200)
  const { status, body } = await register(owner, 'HELD22')
  assert.deepEqual([status, body.code], [409, 'too_many_vehicles'])
})

test('a person who registers the same plate concurrently gets one vehicle', async () => {
  const owner = await app.user()
  const responses = await Promise.all(Array.from({ length: 8 }, () => register(owner, 'TWICE1')))
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.equal(responses.filter(({ body }) => body.code === 'already_yours').length, 7)
  assert.equal((await owner.get('/api/vehicles')).body.items.length, 1)
})

test('the list is newest first and paged without gaps or repeats', async () => {
  const owner = await app.user()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await app.vehicle(owner)).id)
  assert.deepEqual(fieldsOf(await allItems(owner, '/api/vehicles?limit=2'), 'id'), ids)
})

// Plates as people type, paste and dictate them (decision plate-identity). The forms of notes and tags are in their tests.

/** Spellings of `BXTR-914`. */
const SPELLINGS = ['BXTR–914', 'bxtr·914', 'BXTR•914', 'BXTR.914', 'BXTR’914', 'BXTR/914', '\u0412ХТR—914.']

test('every spelling finds the vehicle, and is shown with a hyphen', async () => {
  const [owner, sender, admin] = [await app.user(), await app.user(), await createAdmin(app)]
  assert.equal((await registerPlate(owner, 'BXTR–914')).body.vehicle.plate, 'BXTR-914')
  for (const plate of SPELLINGS) {
    const sent = await sender.post('/api/messages', { plate, content: `To ${plate}` })
    assert.equal(sent.status, 201, sent.text)
    assert.equal((await sender.get(`/api/messages/${sent.body.id}`)).body.plate, 'BXTR-914', plate)
    assert.equal((await registerPlate(owner, plate)).body.code, 'already_yours', plate)
    const filter = new URLSearchParams({ plate })
    assert.equal((await admin.get(`/api/admin/vehicles?${filter.toString()}`)).body.items.length, 1, plate)
    const found = await sender.post('/api/messages/search', { text: plate, view: 'sent' })
    assert.ok(
      found.body.items.some(({ id }: { id: string }) => id === sent.body.id),
      plate,
    )
    const about = { type: 'vehicle-approved', to: 'owner@example.com', plate }
    assert.equal((await app.withToken(KEY).post('/send-email', about)).status, 200, plate)
  }
})

test('a search finds a plate however it is written in the message and in the search', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  await registerPlate(owner, 'FIND77')
  const { body } = await sender.post('/api/messages', { plate: 'find-77', content: 'Hello' })
  const found = async (who: typeof owner, view: string, text: string) =>
    (await who.post('/api/messages/search', { text, view })).body.items.map(({ id }: { id: string }) => id)
  for (const text of ['find77', 'FIND–77', 'ind•7', 'hello find.77']) {
    assert.deepEqual(await found(owner, 'received', text), [body.id], text)
    assert.deepEqual(await found(sender, 'sent', text), [body.id], text)
  }
  for (const text of ['find78', '--', '•.', 'find_77']) assert.deepEqual(await found(owner, 'received', text), [], text)
})

/** Requests the catalogue as it is sent: fetch would decompress it. */
const requestCatalogue = (headers: Record<string, string>) => rawRequest(app.url, '/make_models.json', { headers })

test('the catalogue is public, small as browsers get it, and not sent again to a client that has it in that encoding', async () => {
  const br = { 'accept-encoding': 'gzip, deflate, br' }
  const { status, headers, bytes } = await requestCatalogue(br)
  assert.deepEqual([status, headers['content-encoding'], headers['vary']], [200, 'br', 'Accept-Encoding'])
  assert.equal(headers['cache-control'], 'public, max-age=3600')
  assert.deepEqual(JSON.parse(brotliDecompressSync(bytes).toString()), catalogue)
  assert.ok(bytes.length <= 20_000, `${bytes.length} bytes`)
  const etag = { 'if-none-match': String(headers['etag']) }
  const again = await requestCatalogue({ ...br, ...etag })
  assert.deepEqual([again.status, again.bytes.length, again.headers['etag']], [304, 0, headers['etag']])
  const plain = await requestCatalogue(etag)
  assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined])
  assert.deepEqual(JSON.parse(plain.bytes.toString()), catalogue)
})

test('parsing a header full of white space takes linear time', { timeout: 60_000 }, () => {
  assert.deepEqual([...acceptedEncodings(`br , gzip ; q=0, a${' '.repeat(500_000)}b`)].slice(0, 1), ['br'])
})

const OTHER = 'Other'
const models: Record<string, string[]> = catalogue

/** Sorts as people expect: numbers by value (2 before 10), without case and accents (Škoda between Scion and smart). */
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** Two names with the same key look like one vehicle to a person: "S-10" and "s10". */
const lookAlikeKey = (name: string): string => name.toLowerCase().replace(/[\s-]/g, '')

test('makes, and the models of each, are sorted and listed once, written as one expects, with "Other" at the end', () => {
  for (const names of [Object.keys(models), ...Object.values(models)]) {
    assert.equal(names.at(-1), OTHER)
    assert.deepEqual(names.slice(0, -1), names.slice(0, -1).toSorted(byName))
    assert.equal(new Set(names.map(lookAlikeKey)).size, names.length, names.join())
    for (const name of names) assert.ok(/^\S+( \S+)*$/.test(name) && name === name.normalize('NFC'), name)
  }
})

// An owner who has paused a vehicle is not reached through it (decision quiet-hours), and loses nothing by it.

const sender = await app.user()

const send = (plate: string, more: object = {}, who = sender) =>
  who.post('/api/messages', { plate, content: 'Your lights are on', ...more })
const setPaused = (who: Person, id: string, paused: unknown) => who.patch(`/api/vehicles/${id}`, { paused })
async function pause(who: Person) {
  const { status, body } = await setPaused(who, (await onlyVehicleOf(who)).id, true)
  assert.deepEqual([status, body.paused], [200, true])
}
/** Returns a response as the sender gets it: every byte but the time and the number of the request. */
const bytesOf = ({ status, headers, text }: TestResponse) => {
  const seen = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name) && !/ratelimit/.test(name))
  return JSON.stringify([status, seen, text])
}

test('a paused vehicle answers senders as one that waits for verification, byte for byte, and again when resumed', async () => {
  const owner = await app.user()
  const { id, plate } = await app.vehicle(owner)
  const waiting = await app.vehicle(await app.user(), { status: 'pending_verification' })
  const { status, body } = await setPaused(owner, id, true)
  assert.equal(status, 200)
  assert.deepEqual(body, { ...(await onlyVehicleOf(owner)), status: 'active', paused: true })

  const refused = await send(plate)
  assert.deepEqual(refused.body, { error: 'That vehicle is not active yet.', code: 'vehicle_not_active' })
  assert.equal(bytesOf(refused), bytesOf(await send(waiting.plate)))
  for (const more of [{ province: 'Ontario' }, { reason: 'someone_inside' }])
    assert.equal(bytesOf(await send(plate, more)), bytesOf(await send(waiting.plate, more)))
  assert.equal((await send(plate, { province: 'Quebec' })).body.code, 'plate_not_registered')
  assert.equal((await send(plate, {}, owner)).body.code, 'own_vehicle')
  const { body: inbox } = await owner.get('/api/messages')
  assert.deepEqual(inbox.items, [])

  assert.equal((await setPaused(owner, id, true)).body.paused, true)
  assert.equal((await setPaused(owner, id, false)).body.paused, false)
  assert.equal((await send(plate)).status, 201)
})

test('a plate that one province has paused is that of the other, and needs no province until the pause ends', async () => {
  const [ontarian, quebecer] = await createTwoUsers(app)
  const one = await app.vehicle(ontarian, { plate: 'TWINS1', province: 'Ontario' })
  await app.vehicle(quebecer, { plate: 'TWINS1', province: 'Quebec' })
  const { body } = await send('TWINS1')
  assert.deepEqual([body.code, body.provinces], ['province_needed', ['Ontario', 'Quebec']])
  await setPaused(ontarian, one.id, true)
  assert.equal((await send('TWINS1')).status, 201)
  assert.equal((await quebecer.get('/api/messages')).body.items.length, 1)
  assert.equal((await ontarian.get('/api/messages')).body.items.length, 0)
  assert.equal((await send('TWINS1', { province: 'Ontario' })).body.code, 'vehicle_not_active')
  await setPaused(ontarian, one.id, false)
  assert.equal((await send('TWINS1')).body.code, 'province_needed')
})

test('nobody gets a paused plate more easily: it is challenged, defended and kept like any other', async () => {
  const [owner, challenger] = await createTwoUsers(app)
  await registerPlate(owner, 'ASLEEP1')
  await pause(owner)
  assert.equal((await registerPlate(challenger, 'ASLEEP1')).body.status, 'dispute_started')
  assert.deepEqual(await vehicleStates(owner, challenger), [
    'pending_verification, incumbent',
    'pending_verification, challenger',
  ])
  await expireDocumentsDueDate(
    app,
    (await openChallenges(app, 'ASLEEP1')).map(({ id }) => id),
  )
  await settleOverdueDisputes(app.context, new AbortController().signal)
  const kept = await onlyVehicleOf(owner)
  assert.deepEqual([kept.status, kept.paused], ['active', true])
  assert.equal((await send('ASLEEP1')).body.code, 'vehicle_not_active')
  const mail = await waitForMail(app, owner, 'Plate ASLEEP1 can receive messages again')
  assert.match(mail.text, /You paused this vehicle yourself\./)
})

test('an approval leaves the pause alone and says so, and admins see it', async () => {
  const owner = await app.user({ locale: 'fr-CA' })
  await registerPlate(owner, 'DORMIR1')
  await pause(owner)
  const admin = await createAdmin(app)
  const { id } = await onlyVehicleOf(owner)
  assert.equal((await admin.post(`/api/admin/vehicles/${id}/approve`)).status, 204)
  const { body: list } = await admin.get('/api/admin/vehicles?plate=DORMIR1')
  assert.deepEqual(fieldsOf(list.items, 'status', 'paused'), [['verified', true]])
  assert.equal((await send('DORMIR1')).body.code, 'vehicle_not_active')
  const mail = await waitForMail(app, owner, 'Votre plaque DORMIR1 est vérifiée')
  assert.match(mail.text, /Vous avez vous-même mis ce véhicule en pause\./)
})
