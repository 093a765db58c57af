import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReceivedMessage } from '#contract/messages.ts'
import { type Person, testApp } from '../test/app.ts'
import { sendMessage } from '../test/messages.ts'

const app = await testApp()

describe('finding one’s messages', () => {
  const search = (who: Person, text: string, more: object = {}, headers = {}) =>
    who.post('/api/messages/search', { text, view: 'received', ...more }, headers)
  const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

  test('received messages are listed by vehicle and by unread, page after page', async () => {
    const [owner, sender, other] = [await app.user(), await app.user(), await app.user()]
    const [first, second] = [await app.vehicle(owner), await app.vehicle(owner)]
    const foreign = await app.vehicle(other)
    const ids: string[] = []
    for (const { plate } of [first, first, first, second]) ids.unshift(await sendMessage(sender, plate, 'Hello'))
    const theirs = await sendMessage(sender, foreign.plate, 'For somebody else')
    const [ofSecond, newest, middle, oldest] = ids
    await owner.patch(`/api/messages/${middle}`, { is_read: true })

    const list = async (query: string) => idsOf(await owner.get(`/api/messages?${query}`))
    assert.deepEqual(await list(`vehicle_id=${first.id}`), [newest, middle, oldest])
    assert.deepEqual(await list(`vehicle_id=${second.id.toUpperCase()}`), [ofSecond])
    assert.deepEqual(await list('unread=true'), [ofSecond, newest, oldest])
    assert.deepEqual(await list(`unread=true&vehicle_id=${first.id}`), [newest, oldest])
    const page = await owner.get(`/api/messages?unread=true&vehicle_id=${first.id}&limit=1`)
    assert.deepEqual(idsOf(page), [newest])
    assert.deepEqual(await list(`unread=true&vehicle_id=${first.id}&limit=1&cursor=${page.body.next}`), [oldest])
    // a vehicle of somebody else has no messages for this caller, and a removed one has none any more
    assert.deepEqual(await list(`vehicle_id=${foreign.id}`), [])
    assert.ok(!(await list('')).includes(theirs))
    await owner.delete(`/api/vehicles/${second.id}`)
    assert.deepEqual(await list(`vehicle_id=${second.id}`), [])
    assert.deepEqual(idsOf(await search(owner, 'hello', { vehicle_id: second.id })), [])
    for (const query of ['view=sent&unread=true', `view=sent&vehicle_id=${first.id}`]) {
      assert.equal((await owner.get(`/api/messages?${query}`)).status, 400, query)
    }
  })

  test('a search finds what its reader sees: words, whatever their case and accents, replies, plates and reasons', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate, id: vehicleId } = await app.vehicle(owner)
    const alarm = await sendMessage(sender, plate, 'L’alarme sonne près de l’école, au cœur du quartier')
    const ready = 'Hello! Your vehicle is blocking mine and I can’t get out. Could you please move it? Thank you!'
    const blocked = await sendMessage(sender, plate, ready, { reason: 'blocked_in' })
    await owner.post(`/api/messages/${alarm}/reply`, { reply: 'Merci, je descends' })

    assert.deepEqual(idsOf(await search(owner, "  ECOLE   l'ALARME ")), [alarm])
    assert.deepEqual(idsOf(await search(owner, 'Coeur.')), [alarm]) // as dictation writes it
    assert.deepEqual(idsOf(await search(owner, 'descends')), [alarm])
    assert.deepEqual(idsOf(await search(owner, plate.toLowerCase())), [blocked, alarm])
    assert.deepEqual(idsOf(await search(owner, 'ecole bloque')), [])
    // a ready-made text is found in both languages by a reader of French, and in English only by one of English
    assert.deepEqual(idsOf(await search(owner, 'votre véhicule', {}, { 'accept-language': 'fr' })), [blocked])
    assert.deepEqual(idsOf(await search(owner, 'votre véhicule')), [])
    assert.deepEqual(idsOf(await search(owner, 'blocking mine', { unread: 'true', vehicle_id: vehicleId })), [blocked])
    assert.deepEqual(idsOf(await search(owner, 'descends', { unread: 'true' })), [])
    const sent = await search(sender, 'descends', { view: 'sent' })
    assert.deepEqual([idsOf(sent), sent.body.searched, sent.body.next], [[alarm], 2, null])
    assert.equal(sent.body.items[0].email_status !== undefined, true)

    for (const bad of [' a ', 'x'.repeat(101)]) assert.equal((await search(owner, bad)).status, 400)
    assert.equal((await search(owner, 'hello', { view: 'sent', unread: 'true' })).status, 400)
  })

  test('nobody finds what is not theirs: others’ messages, withheld ones, withheld replies, removed ones', async () => {
    const [owner, sender, stranger] = [await app.user(), await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const before = await sendMessage(sender, plate, 'quokka before the block')
    assert.equal((await owner.post(`/api/messages/${before}/block`)).status, 204)
    const withheld = await sendMessage(sender, plate, 'quokka after the block')
    assert.deepEqual(idsOf(await search(owner, 'quokka')), [before])
    assert.deepEqual(idsOf(await search(sender, 'quokka', { view: 'sent' })), [withheld, before])
    for (const view of ['received', 'sent']) assert.deepEqual(idsOf(await search(stranger, 'quokka', { view })), [])

    const asked = await sendMessage(stranger, plate, 'numbat')
    await owner.post(`/api/messages/${asked}/reply`, { reply: 'the first wombat' })
    assert.deepEqual(idsOf(await search(stranger, 'wombat', { view: 'sent' })), [asked])
    assert.equal((await stranger.post(`/api/messages/${asked}/block`)).status, 204)
    const again = await sendMessage(stranger, plate, 'numbat again')
    await owner.post(`/api/messages/${again}/reply`, { reply: 'the second wombat' })
    assert.deepEqual(idsOf(await search(stranger, 'wombat', { view: 'sent' })), [asked])
    await app.db`delete from messages where id = ${asked}`
    assert.deepEqual(idsOf(await search(stranger, 'wombat', { view: 'sent' })), [])
  })

  test('a search looks at 500 messages at a time, says so, and goes on from there', async () => {
    const [owner, ...senders] = await Promise.all(Array.from({ length: 5 }, () => app.user()))
    const { plate } = await app.vehicle(owner!)
    const needle = await sendMessage(senders[0]!, plate, 'The needle')
    for (let round = 0; round < 21; round++) {
      await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          sendMessage(senders[i % 4]!, plate, round === 0 ? 'straw at the end' : 'hay'),
        ),
      )
    }
    const first = await search(owner!, 'needle')
    assert.deepEqual([idsOf(first), first.body.searched], [[], 500])
    const second = await search(owner!, 'needle', { cursor: first.body.next })
    assert.deepEqual([idsOf(second), second.body.searched, second.body.next], [[needle], 5, null])
    // and it returns 20 at a time, without gaps or repetitions
    const found: string[] = []
    let next: string | null | undefined
    while (next !== null) {
      const { body } = await search(owner!, 'straw', next === undefined ? {} : { cursor: next })
      assert.ok(body.items.length <= 20)
      found.push(...body.items.map(({ id }: ReceivedMessage) => id))
      next = body.next
    }
    assert.deepEqual([found.length, new Set(found).size], [24, 24])
  })
})
