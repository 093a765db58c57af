import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLogger } from '../log/logger.ts'
import { createCaller, type Person, testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { drawPng, storedFileName, uploadImage } from '../test/upload.ts'

const FRENCH = { 'accept-language': 'fr-CA' }

const app = await testApp()
const [owner, sender] = [await app.user(), await app.user()]
const { plate } = await app.vehicle(owner)

describe('values that were changed from outside', () => {
  const send = async (content: string, extra = {}): Promise<string> =>
    (await sender.post('/api/messages', { plate, content, ...extra })).body.id
  const upload = async (background: string): Promise<{ id: string; url: string }> =>
    (await uploadImage(sender, await drawPng(background))).body
  const shown = async (who: Person, view: string, ids: string[], headers = {}) => {
    const { status, body } = await who.get(`/api/messages?view=${view}&limit=100`, headers)
    assert.equal(status, 200)
    return ids.map((id) => {
      const { content, reply } = body.items.find((item: { id: string }) => item.id === id)
      return [content, reply]
    })
  }

  test('swapped texts of two messages are both shown as unreadable, in the reader’s language, and the others are shown', async () => {
    const [a, b, intact] = [await send('one'), await send('two'), await send('three')]
    await app.db`
      update messages m set content_encrypted = other.content_encrypted from messages other
      where (m.id = ${a} and other.id = ${b}) or (m.id = ${b} and other.id = ${a})`
    const unreadable = { en: 'This message cannot be shown.', fr: 'Ce message ne peut pas être affiché.' }
    for (const [who, view] of [
      [owner, 'received'],
      [sender, 'sent'],
    ] as const) {
      const inEnglish = [
        [unreadable.en, null],
        [unreadable.en, null],
        ['three', null],
      ]
      assert.deepEqual(await shown(who, view, [a, b, intact]), inEnglish)
      const inFrench = [
        [unreadable.fr, null],
        [unreadable.fr, null],
        ['three', null],
      ]
      assert.deepEqual(await shown(who, view, [a, b, intact], FRENCH), inFrench)
    }
    assert.equal((await owner.get(`/api/messages/${a}`, FRENCH)).body.content, unreadable.fr)
    const recent = (await owner.get('/api/dashboard', FRENCH)).body.recent_messages
    assert.deepEqual(fieldsOf(recent, 'content'), ['three', unreadable.fr, unreadable.fr])
  })

  test('a message stays readable when its reply has a flipped byte or is a copy of the message', async () => {
    const [flipped, copied] = [await send('one'), await send('two')]
    for (const id of [flipped, copied]) await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })
    await app.db`
      update messages set reply_encrypted = set_byte(reply_encrypted, 40, 255 - get_byte(reply_encrypted, 40)) where id = ${flipped}`
    await app.db`update messages set reply_encrypted = content_encrypted where id = ${copied}`
    assert.deepEqual(await shown(sender, 'sent', [flipped, copied]), [
      ['one', 'This reply cannot be shown.'],
      ['two', 'This reply cannot be shown.'],
    ])
    const [french] = await shown(sender, 'sent', [flipped], FRENCH)
    assert.deepEqual(french, ['one', 'Cette réponse ne peut pas être affichée.'])
  })

  test('an image with the file or the envelope of another is not found, and the response is not cached', async () => {
    const [a, b, c] = [await upload('#f00'), await upload('#0f0'), await upload('#00f')]
    const id = await send('see', { attachment_id: a.id })
    const { files } = app.context
    await files.put(await storedFileName(app, a), (await files.get(await storedFileName(app, b)))!)
    await app.db`
      update attachments set key_envelope = (select key_envelope from attachments where id = ${b.id}) where id = ${c.id}`
    for (const { url } of [a, c]) {
      const response = await app.visitor.get(url)
      assert.deepEqual([response.status, response.body.code], [404, 'not_found'])
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
    assert.equal((await app.visitor.get(b.url)).status, 200)
    assert.equal((await owner.get(`/api/messages/${id}`)).body.content, 'see')
  })

  test('a message that was pointed to another vehicle, or to another’s image, is unreadable there', async () => {
    const intruder = await app.user()
    const own = await app.vehicle(intruder)
    const other = await app.vehicle(owner)
    const image = await upload('#0ff')
    const id = await send('for the owner only', { attachment_id: image.id })
    await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })

    // by the owner of another vehicle
    await app.db`update messages set vehicle_id = ${own.id}, addressed_to = ${own.id} where id = ${id}`
    const { body: moved } = await intruder.get(`/api/messages/${id}`)
    assert.deepEqual([moved.content, moved.reply], ['This message cannot be shown.', 'This reply cannot be shown.'])
    // by somebody who takes the image for a message of their own
    await app.db`update messages set vehicle_id = ${other.id}, attachment_id = null where id = ${id}`
    const theirs = (await intruder.post('/api/messages', { plate: other.plate, content: 'x' })).body.id
    await app.db`update messages set attachment_id = ${image.id} where id = ${theirs}`
    const { body: taken } = await intruder.get(`/api/messages/${theirs}`)
    assert.deepEqual([taken.content, taken.image_url], ['x', null])
    const { body: exported } = await intruder.get('/api/export')
    assert.equal(exported.messages_sent[0].image_url, null)
    // who can only read the database has no link either
    const rows = await app.db<{ row: string }[]>`select a::text as row from attachments a where id = ${image.id}`
    assert.ok(!rows[0]!.row.includes(image.url.split('/').at(-1)!.slice(0, 43)))
    assert.equal((await app.visitor.get(image.url)).status, 200)
  })

  test('are reported once, with their location and nothing of their contents', async () => {
    const lines: string[] = []
    const log = createLogger('error', { write: (line) => void lines.push(line) })
    const second = await startSiblingServer({ ...app.context, log })
    const [whole, damaged] = [await send('whole-and-secret'), await send('damaged-and-secret')]
    const image = await upload('#abc')
    await app.db`update messages set content_encrypted = content_encrypted || '\\x00' where id = ${damaged}`
    await app.context.files.put(await storedFileName(app, image), Buffer.from('nothing'))
    for (let again = 0; again < 3; again++) {
      for (const id of [whole, damaged]) {
        assert.equal((await createCaller(second.url, owner.token).get(`/api/messages/${id}`)).status, 200)
      }
      assert.equal((await fetch(second.url + image.url)).status, 404)
    }
    const reports = lines.map((line) => JSON.parse(line))
    assert.deepEqual(
      reports.map(({ table, column, id, msg }) => ({ table, column, id, msg })),
      [
        { table: 'messages', column: 'content', id: damaged, msg: 'an encrypted value cannot be opened' },
        { table: 'attachments', column: 'file', id: image.id, msg: 'an encrypted value cannot be opened' },
      ],
    )
    assert.doesNotMatch(lines.join(''), /secret/)
  })
})
