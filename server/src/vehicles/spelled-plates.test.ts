import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../test/app.ts'
import { createAdmin, registerPlate } from '../test/disputes.ts'

// Plates as people type, paste and dictate them (decision plate-identity). The forms of notes and tags are in their tests.

const KEY = 'a-service-key-of-more-than-32-characters'
const app = await testApp({ settings: { SERVICE_KEY: KEY } })

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
