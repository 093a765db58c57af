import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errorText } from '#contract/errors.ts'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'

describe('messages', () => {
  let app: TestApp
  let owner: Person
  let sender: Person
  before(async () => {
    app = await testApp()
    ;[owner, sender] = [await app.user(), await app.user()]
  })
  after(() => app.close())

  const send = (who: Person, input: object, key?: string) =>
    who.post('/api/messages', input, key === undefined ? {} : { 'idempotency-key': key })

  test('a message to an active plate is acknowledged, listed for both sides, and announced to the owner once', async () => {
    const vehicle = await app.vehicle(owner, { plate: 'ABCD-123' })

    const sent = await send(sender, { plate: ' abcd 123 ', content: 'Your lights are on', reason: 'lights_on' })

    assert.equal(sent.status, 201)
    assert.deepEqual(Object.keys(sent.body).sort(), ['id', 'inserted_at', 'plate'])
    assert.equal(sent.body.plate, 'ABCD123')
    const inbox = await owner.get('/api/messages?view=received')
    const { id, content, reason, is_read, vehicle_id, reply } = inbox.body.items[0]
    assert.deepEqual(
      { id, content, reason, is_read, vehicle_id, reply },
      {
        id: sent.body.id,
        content: 'Your lights are on',
        reason: 'lights_on',
        is_read: false,
        vehicle_id: vehicle.id,
        reply: null,
      },
    )
    const outbox = await sender.get('/api/messages?view=sent')
    assert.equal(outbox.body.items[0].id, sent.body.id)
    const notices = await owner.get('/api/notifications')
    const about = notices.body.items.filter((n: { data: { message_id: string } }) => n.data.message_id === sent.body.id)
    assert.equal(about.length, 1)
    assert.equal(about[0].type, 'message_received')
    assert.equal(about[0].data.plate, 'ABCD-123')
    const [mail] = await app.mails(owner.email)
    assert.match(mail!.text, /Your lights are on/)
    assert.match(mail!.text, new RegExp(`http://platenote.test/dashboard/messages\\?view=received#${id}`))
  })

  describe('is refused', () => {
    const refusals: [string, () => Promise<object>, number, Parameters<typeof errorText>[0]][] = [
      [
        'for one’s own vehicle even while it is rejected',
        async () => ({ plate: (await app.vehicle(sender, { status: 'rejected' })).plate, content: 'x' }),
        409,
        'own_vehicle',
      ],
      [
        'with an image that is not the sender’s',
        async () => ({
          plate: (await app.vehicle(owner)).plate,
          content: 'x',
          attachment_id: '01900000-0000-7000-8000-000000000000',
        }),
        409,
        'attachment_unknown',
      ],
    ]
    for (const [when, make, status, code] of refusals) {
      test(when, async () => {
        const input = await make()
        const english = await send(sender, input)
        assert.deepEqual([english.status, english.body], [status, { error: errorText(code, 'en'), code }])
        const french = await sender.post('/api/messages', input, { 'accept-language': 'fr-CA,fr;q=0.9,en;q=0.8' })
        assert.equal(french.body.error, errorText(code, 'fr-CA'))
      })
    }

    const malformed: [string, unknown, string][] = [
      ['with a text too long', { plate: 'ABC123', content: 'x'.repeat(MESSAGE_MAX + 1) }, 'content'],
      ['with a NUL in the text', { plate: 'ABC123', content: 'a\0b' }, 'content'],
      ['with a lone surrogate in the text', { plate: 'ABC123', content: 'a\ud800b' }, 'content'],
      ['with a plate of hyphens', { plate: '--', content: 'x' }, 'plate'],
      ['with a plate of wildcards', { plate: '%', content: 'x' }, 'plate'],
      ['with a number as plate', { plate: 12345, content: 'x' }, 'plate'],
      ['with an unknown province', { plate: 'ABC123', content: 'x', province: 'Yukon' }, 'province'],
      ['with an unknown reason', { plate: 'ABC123', content: 'x', reason: 'spam' }, 'reason'],
      ['with an invalid attachment id', { plate: 'ABC123', content: 'x', attachment_id: '1' }, 'attachment_id'],
    ]
    for (const [when, input, field] of malformed) {
      test(when, async () => {
        const { status, body } = await send(sender, input as object)
        assert.equal(status, 400)
        assert.equal(body.code, 'invalid_input')
        assert.ok(body.fields[field], `names the field ${field}`)
      })
    }

    test('as anything but a JSON object', async () => {
      for (const raw of ['[]', '"x"', 'null', '{', '{"__proto__":{"a":1}}']) {
        const { status, body } = await sender.post('/api/messages', raw)
        assert.equal(status, 400, raw)
        assert.ok(['bad_json', 'invalid_input'].includes(body.code), raw)
      }
    })
  })

  test('a text of 2,000 characters arrives whole, whatever the characters', async () => {
    const { plate } = await app.vehicle(owner)
    const content = `${'é🚗"\\{}\u2028\'--'.repeat(150)}x`.slice(0, 1900)
    const { status, body } = await send(sender, { plate, content })
    assert.equal(status, 201)
    const { body: message } = await owner.get(`/api/messages/${body.id}`)
    assert.equal(message.content, content)
  })

  test('a plate that is live in two provinces needs the province, and then the right owner is reached', async () => {
    const other = await app.user()
    const ontario = await app.vehicle(owner, { plate: 'TWICE1', province: 'Ontario' })
    const quebec = await app.vehicle(other, { plate: 'TWICE1', province: 'Quebec' })

    const ambiguous = await send(sender, { plate: 'TWICE1', content: 'hello' })
    assert.deepEqual(
      [ambiguous.status, ambiguous.body.code, ambiguous.body.provinces],
      [409, 'province_needed', ['Ontario', 'Quebec']],
    )

    const sent = await send(sender, { plate: 'TWICE1', content: 'hello', province: 'Quebec' })
    assert.equal(sent.status, 201)
    assert.equal((await other.get(`/api/messages/${sent.body.id}`)).body.vehicle_id, quebec.id)
    assert.equal((await owner.get(`/api/messages/${sent.body.id}`)).status, 404)
    assert.notEqual(ontario.id, quebec.id)
  })

  describe('with an Idempotency-Key', () => {
    test('a repeated send returns the first result and sends nothing more', async () => {
      const { plate } = await app.vehicle(owner)
      const first = await send(sender, { plate, content: 'once' }, 'key-repeated-1')
      const again = await send(sender, { plate, content: 'once' }, 'key-repeated-1')
      assert.deepEqual([again.status, again.body], [201, first.body])
      const { body } = await owner.get('/api/messages?view=received&limit=100')
      assert.equal(body.items.filter((m: { plate: string }) => m.plate === plate).length, 1)
    })

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

    test('an invalid key is refused', async () => {
      const { status, body } = await send(sender, { plate: 'ABC123', content: 'x' }, 'short')
      assert.deepEqual([status, body.code], [400, 'invalid_input'])
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
    assert.deepEqual(
      responses.map((a) => a.status),
      [...Array(30).fill(201), 404, 409, 409],
    )
  })

  describe('lists', () => {
    test('are paged without gaps or repetitions, newest first', async () => {
      const reader = await app.user()
      const { plate } = await app.vehicle(reader)
      for (let i = 0; i < 7; i++) await send(sender, { plate, content: `page ${i}` })
      const seen: string[] = []
      let next: string | null = ''
      while (next !== null) {
        const { body } = await reader.get(`/api/messages?view=received&limit=3${next && `&cursor=${next}`}`)
        seen.push(...body.items.map((m: { content: string }) => m.content))
        next = body.next
      }
      assert.deepEqual(seen, ['page 6', 'page 5', 'page 4', 'page 3', 'page 2', 'page 1', 'page 0'])
    })

    for (const query of ['view=all', 'limit=0', 'limit=101', 'limit=x', 'cursor=%00', 'cursor=bm90LWFuLWlk']) {
      test(`refuse ${query}`, async () => {
        const { status, body } = await owner.get(`/api/messages?${query}`)
        assert.deepEqual([status, body.code], [400, 'invalid_input'])
      })
    }
  })

  describe('reading and replying', () => {
    const received = async () => {
      const { plate } = await app.vehicle(owner)
      return (await send(sender, { plate, content: 'please move' })).body.id as string
    }

    test('a reply reaches the sender once, in the list, as a notification and by e-mail', async () => {
      const writer = await app.user()
      const { plate } = await app.vehicle(owner)
      const { id } = (await send(writer, { plate, content: 'please move' })).body
      const response = await owner.post(`/api/messages/${id}/reply`, { reply: 'Coming now' })
      assert.deepEqual([response.status, response.body.reply, response.body.is_read], [200, 'Coming now', true])
      assert.ok(response.body.replied_at)
      const { body: mine } = await writer.get(`/api/messages/${id}`)
      assert.deepEqual([mine.view, mine.reply], ['sent', 'Coming now'])
      const { body: notices } = await writer.get('/api/notifications')
      assert.deepEqual(
        notices.items.map((n: { type: string; data: object }) => [n.type, n.data]),
        [['message_replied', { plate, message_id: id }]],
      )
      const [mail] = await app.mails(writer.email)
      assert.match(mail!.text, /Coming now/)
      assert.match(mail!.text, new RegExp(`/dashboard/messages\\?view=sent#${id}`))
    })

    test('of ten simultaneous replies one is stored', async () => {
      const id = await received()
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, i) => owner.post(`/api/messages/${id}/reply`, { reply: `reply ${i}` })),
      )
      assert.deepEqual(responses.map((a) => a.status).sort(), [200, ...Array(9).fill(409)])
      assert.equal(responses.find((a) => a.status === 409)?.body.code, 'already_replied')
    })

    test('a reply can be read even when the URL has the id in capitals', async () => {
      const { plate } = await app.vehicle(owner)
      const { id } = (await send(sender, { plate, content: 'hello' })).body
      const response = await owner.post(`/api/messages/${id.toUpperCase()}/reply`, { reply: 'I am here' })
      assert.deepEqual([response.status, response.body.id, response.body.reply], [200, id, 'I am here'])
      assert.equal((await sender.get(`/api/messages/${id}`)).body.reply, 'I am here')
    })

    test('a blank reply is refused', async () => {
      const id = await received()
      const { status, body } = await owner.post(`/api/messages/${id}/reply`, { reply: '  ' })
      assert.equal(status, 400)
      assert.ok(body.fields.reply)
    })

    test('only the recipient can mark and reply, and only the two sides can read', async () => {
      const id = await received()
      const stranger = await app.user()
      assert.equal((await stranger.get(`/api/messages/${id}`)).status, 404)
      for (const who of [stranger, sender]) {
        assert.equal((await who.patch(`/api/messages/${id}`, { is_read: true })).status, 404)
        assert.equal((await who.post(`/api/messages/${id}/reply`, { reply: 'x' })).status, 404)
      }
      assert.equal((await owner.get('/api/messages/not-an-id')).status, 400)
      assert.equal((await owner.get('/api/messages/01900000-0000-7000-8000-000000000000')).status, 404)
    })

    test('every call is refused without a session', async () => {
      const id = await received()
      const responses = await Promise.all([
        app.visitor.get('/api/messages'),
        app.visitor.get(`/api/messages/${id}`),
        app.visitor.patch(`/api/messages/${id}`, { is_read: true }),
        app.visitor.post(`/api/messages/${id}/reply`, { reply: 'x' }),
        app.withToken('nonsense').get('/api/messages'),
      ])
      for (const { status, body } of responses) {
        assert.equal(status, 401)
        assert.ok(body.error)
      }
    })
  })

  test('deleting a vehicle deletes its messages for the owner', async () => {
    const { id: vehicleId, plate } = await app.vehicle(owner)
    const { id } = (await send(sender, { plate, content: 'gone soon' })).body
    assert.equal((await owner.delete(`/api/vehicles/${vehicleId}`)).status, 204)
    assert.equal((await owner.get(`/api/messages/${id}`)).status, 404)
    assert.equal((await sender.get(`/api/messages/${id}`)).body.content, 'gone soon')
    assert.equal((await send(sender, { plate, content: 'again' })).body.code, 'plate_not_registered')
  })

  test('sending while the vehicle is being deleted succeeds or is refused, and never fails unexpectedly', async () => {
    const { id, plate } = await app.vehicle(owner)
    const [gone, ...responses] = await Promise.all([
      owner.delete(`/api/vehicles/${id}`),
      ...Array.from({ length: 30 }, (_, i) => send(sender, { plate, content: `race ${i}` })),
    ])
    assert.equal(gone.status, 204)
    for (const { status, body } of responses)
      assert.ok(status === 201 || body.code === 'plate_not_registered', `${status}`)
  })

  test('an owner who wants no emails gets none, but to the sender it looks sent', async () => {
    const quiet = await app.user()
    await quiet.patch('/api/preferences', { email_messages: false })
    const { plate } = await app.vehicle(quiet)
    const { id } = (await send(sender, { plate, content: 'in the app only' })).body
    await eventually(async () =>
      (await sender.get(`/api/messages/${id}`)).body.email_status === 'sent' ? true : undefined,
    )
    assert.equal((await app.mails(quiet.email, 0)).length, 0)
  })

  test('an email contains nothing of the text when the owner does not want it', async () => {
    const discreet = await app.user({ locale: 'fr-CA' })
    await discreet.patch('/api/preferences', { email_message_text: false })
    const { plate } = await app.vehicle(discreet)
    await send(sender, { plate, content: 'a private word', reason: 'blocked_in' })
    const [mail] = await app.mails(discreet.email)
    assert.ok(!mail!.text.includes('a private word') && !mail!.html.includes('a private word'))
    assert.equal(mail!.subject, `${plate}\u00a0: votre véhicule bloque quelqu’un`)
  })

  test('no text is stored in clear', async () => {
    const { plate } = await app.vehicle(owner)
    const secret = 'unmistakable-7f3a9c'
    const { id } = (await send(sender, { plate, content: secret })).body
    await owner.post(`/api/messages/${id}/reply`, { reply: `${secret}-reply` })
    const tables = await app.db<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('auth', 'public') and tablename <> 'captured_mails'`
    for (const { name } of tables) {
      const rows = await app.db.unsafe(`select t::text as row from ${name} t`)
      for (const { row } of rows) {
        assert.ok(
          !row.includes(secret) && !row.includes(Buffer.from(secret).toString('hex')),
          `${name} contains the text`,
        )
      }
    }
  })

  test('a text moved to another row is shown as unreadable, and the rest of the list as usual', async () => {
    const reader = await app.user()
    const { plate } = await app.vehicle(reader)
    const a = (await send(sender, { plate, content: 'first' })).body.id
    const b = (await send(sender, { plate, content: 'second' })).body.id
    await app.db`update messages set content_encrypted = (select content_encrypted from messages where id = ${a}) where id = ${b}`
    const { status, body } = await reader.get('/api/messages')
    assert.equal(status, 200)
    assert.deepEqual(
      body.items.map((m: { content: string }) => m.content),
      ['This message cannot be shown.', 'first'],
    )
  })
})
