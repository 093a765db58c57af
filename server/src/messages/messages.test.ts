import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { type Person, testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
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
