import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MESSAGE_MAX, type ReceivedMessage } from '#contract/messages.ts'
import { type Person, testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
import { sendMessage } from '../test/messages.ts'
import { DAY_S, SECOND_MS } from '../time.ts'

const app = await testApp()
const [owner, sender] = [await app.user(), await app.user()]

describe('messages', () => {
  const send = (who: Person, input: object, key?: string) =>
    who.post('/api/messages', input, key === undefined ? {} : { 'idempotency-key': key })

  test('one’s own vehicle is said to be one’s own even while it is rejected', async () => {
    const { plate } = await app.vehicle(sender, { status: 'rejected' })
    assert.equal((await send(sender, { plate, content: 'x' })).body.code, 'own_vehicle')
  })

  test('a text of 2,000 characters arrives whole, whatever the characters, and a longer one is refused', async () => {
    const { plate } = await app.vehicle(owner)
    const content = [...'é🚗"\\{}\u2028\'--'.repeat(250)].slice(0, MESSAGE_MAX).join('')
    const { status, body } = await send(sender, { plate, content })
    assert.equal(status, 201)
    const { body: message } = await owner.get(`/api/messages/${body.id}`)
    assert.equal(message.content, content)
    assert.deepEqual(Object.keys((await send(sender, { plate, content: `${content}x` })).body.fields), ['content'])
  })

  describe('with an Idempotency-Key', () => {
    test('twenty simultaneous sends are one message', async () => {
      const { plate } = await app.vehicle(owner)
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => send(sender, { plate, content: 'at once' }, 'key-at-once-1')),
      )
      assert.deepEqual(new Set(responses.map((a) => a.status)), new Set([201]))
      assert.equal(new Set(responses.map((a) => a.body.id)).size, 1)
      const { body } = await owner.get('/api/messages?view=received&limit=100')
      assert.equal(body.items.filter((m: { plate: string }) => m.plate === plate).length, 1)
    })

    test('other contents with the same key are refused, but another user can use it', async () => {
      const { plate } = await app.vehicle(owner)
      await send(sender, { plate, content: 'this' }, 'key-shared-01')
      const other = await send(sender, { plate, content: 'that' }, 'key-shared-01')
      assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch'])
      const stranger = await app.user()
      assert.equal((await send(stranger, { plate, content: 'that' }, 'key-shared-01')).status, 201)
    })
  })

  test('sends in one batch are decided one by one', async () => {
    const { plate } = await app.vehicle(owner)
    const responses = await Promise.all([
      ...Array.from({ length: 30 }, (_, i) => send(sender, { plate, content: `number ${i}` })),
      send(sender, { plate: 'NOBODY2', content: 'x' }),
      send(owner, { plate, content: 'x' }),
      send(sender, { plate, content: 'x', attachment_id: '01900000-0000-7000-8000-000000000000' }),
    ])
    assert.deepEqual(fieldsOf(responses, 'status'), [...Array(30).fill(201), 404, 409, 409])
  })

  test('a reply can be read even when the URL has the id in capitals', async () => {
    const { plate } = await app.vehicle(owner)
    const { id } = (await send(sender, { plate, content: 'hello' })).body
    const response = await owner.post(`/api/messages/${id.toUpperCase()}/reply`, { reply: 'I am here' })
    assert.deepEqual([response.status, response.body.id, response.body.reply], [200, id, 'I am here'])
    assert.equal((await sender.get(`/api/messages/${id}`)).body.reply, 'I am here')
  })

  test('both sides read until when a message is kept: a year from the last activity, which a reply is and reading is not', async () => {
    const { plate } = await app.vehicle(owner)
    const { id } = (await send(sender, { plate, content: 'hello' })).body
    await app.db`update messages set inserted_at = now() - interval '3 months' where id = ${id}`
    const read = async (who: Person) => (await who.get(`/api/messages/${id}`)).body
    const isYearLater = (from: string, to: string) =>
      Math.abs((Date.parse(to) - Date.parse(from)) / (DAY_S * SECOND_MS) - 365.5) < 2
    for (const who of [owner, sender]) {
      const { inserted_at, kept_until } = await read(who)
      assert.ok(isYearLater(inserted_at, kept_until), kept_until)
    }
    const { kept_until } = await read(sender)
    assert.equal((await owner.patch(`/api/messages/${id}`, { is_read: true })).body.kept_until, kept_until)
    const { body: answered } = await owner.post(`/api/messages/${id}/reply`, { reply: 'On my way' })
    assert.ok(isYearLater(answered.replied_at, answered.kept_until), answered.kept_until)
    assert.equal((await read(sender)).kept_until, answered.kept_until)
    const [listed] = (await sender.get('/api/messages?view=sent&limit=1')).body.items
    assert.deepEqual([listed.id, listed.kept_until], [id, answered.kept_until])
  })
})

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
