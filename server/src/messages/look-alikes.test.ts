import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldPlate } from '#contract/plates.ts'
import { type Caller, type Person, testApp } from '../test/app.ts'
import { createAdmin, registerPlate } from '../test/disputes.ts'
import { shared } from '../test/vehicle-people.ts'

// O and 0, and I and 1, are one shape on metal: a plate that nobody has leads to the only one that reads the same (decision
// plate-identity), and nothing says so to the sender.

const app = await testApp()
const limited = await testApp({ sibling: app, settings: { LIMIT_SCALE: '1' } })
const { db } = app

let count = 0
/** Returns a plate that nobody has, with a zero and a one, and how somebody reads it who takes them for letters. */
function newPlates() {
  const number = String(++count).padStart(2, '0').replaceAll('0', 'X').replaceAll('1', 'Y')
  return { plate: `A0${number}-1B`, typed: `AO${number}-IB`, mixed: `A0${number}-IB` }
}
const send = (who: Caller, plate: string, more: object = {}) =>
  who.post('/api/messages', { plate, content: 'Your lights are on', ...more })
const sent = async (who: Caller) => (await who.get('/api/messages?view=sent')).body.items
const received = async (who: Caller) => (await who.get('/api/messages?view=received')).body.items
const plates = (messages: { plate: string }[]) => messages.map(({ plate }) => plate)
/** Registers a plate for somebody new. */
const registered = async (plate: string, province?: string): Promise<Person> => {
  const owner = await app.user()
  await app.vehicle(owner, { plate, ...(province && { province }) })
  return owner
}

test('the owner gets a message with letters for digits, and each side sees the plate as it knows it', async () => {
  const { plate, typed, mixed } = newPlates()
  const [owner, sender] = [await registered(plate), await app.user({ locale: 'en' })]
  const answers = [await send(sender, typed), await send(sender, mixed), await send(sender, plate)]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.plate]),
    [
      [201, typed],
      [201, mixed],
      [201, plate],
    ],
  )
  assert.deepEqual(new Set(answers.map(({ body }) => Object.keys(body).join())).size, 1)
  assert.deepEqual(plates(await received(owner)), [plate, plate, plate])
  const [mail] = await app.mails(owner.email)
  assert.ok(mail!.subject.includes(plate) && !mail!.text.includes(typed), mail!.text)
  const { body: notifications } = await owner.get('/api/notifications')
  assert.deepEqual(
    new Set(plates(notifications.items.map(({ data }: { data: { plate: string } }) => data))),
    new Set([plate]),
  )

  const { id } = answers[0]!.body
  assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
  assert.deepEqual(plates(await sent(sender)), [plate, mixed, typed])
  const replyMail = (await app.mails(sender.email)).find(({ text }) => text.includes('Thank you'))
  const { body: told } = await sender.get('/api/notifications')
  const { body: exported } = await sender.get('/api/export')
  assert.deepEqual(plates(exported.messages_sent), [plate, mixed, typed])
  assert.equal(told.items[0].data.plate, typed)
  assert.ok(replyMail!.subject.includes(typed) && !replyMail!.text.includes(plate), replyMail!.text)
  // found by either, on both sides
  for (const text of [typed, plate]) {
    for (const [who, view] of [
      [owner, 'received'],
      [sender, 'sent'],
    ] as const) {
      const { body } = await who.post('/api/messages/search', { text, view })
      assert.equal(body.items.length, 3, `${view} ${text}`)
    }
  }
})

test('a plate that somebody has is nobody else’s, live or not, and registering stays exact', async () => {
  const { plate, typed } = newPlates()
  const [owner, other, sender] = [await registered(plate), await registered(typed), await app.user()]
  await send(sender, typed)
  await send(sender, plate)
  assert.deepEqual([plates(await received(owner)), plates(await received(other))], [[plate], [typed]])
  const [vehicle] = (await other.get('/api/vehicles')).body.items
  assert.equal((await other.patch(`/api/vehicles/${vehicle.id}`, { paused: true })).status, 200)
  assert.equal((await send(sender, typed)).body.code, 'vehicle_not_active')
  assert.equal((await received(owner)).length, 1)
})

test('with two plates that read the same nobody is written to', async () => {
  const { plate, typed, mixed } = newPlates()
  const [sender, admin] = [await app.user(), await createAdmin(app)]
  const owners = [await registered(plate), await app.user()]
  assert.equal((await registerPlate(owners[1]!, mixed)).body.status, 'registered')
  assert.equal((await send(sender, typed)).body.code, 'plate_not_registered')
  for (const owner of owners) assert.deepEqual(await received(owner), [])
  const { body } = await admin.get(`/api/admin/vehicles?plate=${typed}`)
  assert.deepEqual(plates(body.items).toSorted(), [plate, mixed].toSorted())
  // nor with one plate in two provinces, which would name them; with the province it is one
  const elsewhere = newPlates()
  const [ontario] = [await registered(elsewhere.plate), await registered(elsewhere.plate, 'Quebec')]
  assert.equal((await send(sender, elsewhere.typed)).body.code, 'plate_not_registered')
  assert.equal((await send(sender, elsewhere.typed, { province: 'Ontario' })).status, 201)
  assert.equal((await received(ontario)).length, 1)
  assert.equal((await send(sender, elsewhere.typed, { province: 'Alberta' })).body.code, 'plate_not_registered')
})

test('a plate in another province is looked past where the province is given', async () => {
  const { plate, typed } = newPlates()
  const [owner, sender] = [await registered(plate), await app.user()]
  const namesake = await registered(typed, 'Quebec')
  assert.equal((await send(sender, typed, { province: 'Ontario' })).status, 201)
  assert.equal((await send(sender, typed)).status, 201)
  assert.deepEqual([plates(await received(owner)), plates(await received(namesake))], [[plate], [typed]])
})

test('what refuses a message to the plate refuses one to its look-alike', async () => {
  const { plate, typed } = newPlates()
  const [owner, sender] = [await registered(plate), await app.user()]
  assert.equal((await send(owner, typed)).body.code, 'own_vehicle')
  const driven = await shared(app)
  assert.equal((await send(driven.driver, driven.plate.replaceAll('0', 'O'))).body.code, 'own_vehicle')
  const [vehicle] = (await owner.get('/api/vehicles')).body.items
  const pause = (paused: boolean) => owner.patch(`/api/vehicles/${vehicle.id}`, { paused })
  await pause(true)
  const [exact, alike] = [await send(sender, plate), await send(sender, typed)]
  assert.deepEqual([exact.status, exact.text], [alike.status, alike.text])
  await pause(false)
  // a block looks like success
  const { body } = await send(sender, typed)
  assert.equal((await owner.post(`/api/messages/${body.id}/block`)).status, 204)
  assert.equal((await send(sender, typed)).status, 201)
  assert.equal((await received(owner)).length, 1)
  // and a plate that was rejected is no plate
  await db`update vehicles set status = 'rejected' where id = ${vehicle.id}`
  assert.equal((await send(sender, typed)).body.code, 'plate_not_registered')
})

test('messages to either count together as those to one vehicle, and misses count as before', async () => {
  const { plate, typed } = newPlates()
  await registered(plate)
  const sender = limited.withToken((await app.user({ aged: true })).token)
  const together = await Promise.all([typed, plate, typed, plate, typed, plate, typed].map((one) => send(sender, one)))
  assert.equal(together.filter(({ status }) => status === 201).length, 5)
  assert.match((await send(sender, typed)).body.error, /with no reply/)
  const prober = limited.withToken((await app.user({ aged: true })).token)
  for (let i = 0; i < 15; i++) assert.equal((await send(prober, `NOI0${i}`)).body.code, 'plate_not_registered')
  assert.equal((await send(prober, typed)).status, 429)
})

test('a note opens with letters for digits, and is claimed by whoever has the plate', async () => {
  const { plate, typed } = newPlates()
  const [owner, other, sender] = [await registered(plate), await app.user(), await app.user()]
  const leave = async () => (await sender.post('/api/notes', { plate: typed, content: 'Your lights are on' })).body.code
  const code = await leave()
  for (const one of [typed, plate]) {
    assert.equal((await app.visitor.post('/n', new URLSearchParams({ code, plate: one }))).status, 200, one)
  }
  assert.equal((await other.post('/api/notes/claim', { code, plate: typed })).body.code, 'note_not_yours')
  assert.equal((await owner.post('/api/notes/claim', { code, plate: typed })).status, 200)
  assert.deepEqual(plates(await received(owner)), [plate])
  // once somebody has the plate as it stands on the note, it is theirs
  await registered(typed)
  const again = await leave()
  assert.equal((await owner.post('/api/notes/claim', { code: again, plate: typed })).body.code, 'note_not_yours')
})

test('a windshield tag takes letters for digits at the end of the plate', async () => {
  const owner = await registered('T4G-1O0')
  const [vehicle] = (await owner.get('/api/vehicles')).body.items
  const { body: tag } = await owner.post(`/api/vehicles/${vehicle.id}/tag`)
  for (const [plate_end, status] of [
    ['I00', 200],
    ['1OO', 200],
    ['IQ0', 403],
  ] as const) {
    const form = new URLSearchParams({ plate_end, reason: 'lights_on' })
    const response = await app.visitor.post(`/t/${tag.token}`, form)
    assert.equal(response.status, status, plate_end)
  }
})

test('server and database fold a plate alike', async () => {
  const key = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const [row] = await db<{ folded: string }[]>`select plate_fold(${key}) as folded`
  assert.equal(row!.folded, foldPlate(key))
})
