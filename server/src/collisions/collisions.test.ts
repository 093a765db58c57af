import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { accepted, type Caller, deleteAccount, type Person, testApp } from '../test/app.ts'
import { caseOf, deleteReported } from '../test/cases.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { createAdmin } from '../test/disputes.ts'
import { drawPng, uploadImage } from '../test/upload.ts'
import { cleanUpCards } from './cleanup.ts'

const PARTICULARS = {
  name: 'Kim Roy',
  phone: '416 555 0100',
  address: '12 Main Street, Toronto',
  insurer: 'Aviva',
  policy: 'P-77 12',
  plate: 'hit 001',
}
const SHOWN = { ...PARTICULARS, plate: 'HIT001' }
const CONTACT = { name: 'Lee Chan', phone: '604 555 0199' }
const hitWith = (particulars: object, photos: string[] = []) => ({
  kind: 'hit',
  province: 'Ontario',
  particulars,
  photos,
  not_anonymous: true,
})
const HIT = hitWith(PARTICULARS)
const WITNESS = { kind: 'saw', witness: true }

const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
const picture = await drawPng()

const send = (from: Caller, plate: string, collision: unknown, headers = {}) =>
  from.post('/api/messages', { plate, content: 'About your bumper', reason: 'accident', collision }, headers)

/** An owner, a sender, and a message about a collision between them. */
async function sendCollision(collision: unknown) {
  const [owner, sender] = [await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner)
  const body = await accepted(send(sender, vehicle.plate, collision))
  return { owner, sender, vehicle, id: body.id as string }
}
const cardOf = (who: Person, id: string) => who.get(`/api/messages/${id}/collision`)
const collisionOf = async (who: Person, id: string) => (await who.get(`/api/messages/${id}`)).body.collision
const ask = (who: Person, id: string) => who.post(`/api/messages/${id}/witness/ask`)
const answer = (who: Person, id: string, body: object) => who.post(`/api/messages/${id}/witness/answer`, body)
const withdraw = (who: Person, id: string) => who.delete(`/api/messages/${id}/witness`)
const noticesOf = async (who: Person, id: string): Promise<string[]> =>
  (await who.get('/api/notifications')).body.items
    .filter((notice: { data: { message_id?: string } }) => notice.data.message_id === id)
    .map(({ type }: { type: string }) => type)
const countRows = async (table: 'collision_cards' | 'collision_photos' | 'messages') =>
  (await app.db<{ count: number }[]>`select count(*)::int as count from ${app.db(table)}`)[0]!.count

describe('the card of somebody who hit a vehicle', () => {
  test('is read by the owner and the sender, with its photos', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const photo = (await uploadImage(sender, picture)).body
    const body = await accepted(send(sender, plate, hitWith(PARTICULARS, [photo.id])))
    const cards = [await cardOf(owner, body.id), await cardOf(sender, body.id)]
    for (const card of cards) {
      assert.equal(card.status, 200, card.text)
      assert.deepEqual(card.body.particulars, SHOWN)
      assert.equal(card.body.province, 'Ontario')
      const [image] = card.body.photos
      const bytes = Buffer.from(image.replace('data:image/webp;base64,', ''), 'base64')
      assert.equal((await sharp(bytes).metadata()).width, 30)
    }
    // the upload, which names the account, is gone
    assert.equal((await fetch(app.url + photo.url)).status, 404)
    for (const who of [owner, sender])
      assert.deepEqual(await collisionOf(who, body.id), { kind: 'hit', witness: null, contact: null })
  })

  test('is in both exports, and in no list, notification or email', async () => {
    const { owner, sender, id } = await sendCollision(HIT)
    for (const [who, list] of [
      [owner, 'messages_received'],
      [sender, 'messages_sent'],
    ] as const) {
      const [message] = (await who.get('/api/export')).body[list]
      const { url, ...card } = message.card
      assert.deepEqual(card, { province: 'Ontario', ...SHOWN })
      assert.match(url, new RegExp(`/dashboard/collision-card\\?id=${id}$`))
    }
    const mails = JSON.stringify(await app.mails(owner.email))
    const pages = [
      await owner.get('/api/messages'),
      await owner.get('/api/notifications'),
      await owner.get('/api/dashboard'),
    ]
    for (const text of [mails, ...pages.map((page) => page.text)]) {
      assert.ok(text.length > 100)
      for (const secret of Object.values(SHOWN)) assert.ok(!text.includes(secret), secret)
    }
  })

  test('is never taken without the confirmation that this is not anonymous, and nothing is stored', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const photo = (await uploadImage(sender, picture)).body.id
    const before = [
      await countRows('messages'),
      await countRows('collision_cards'),
      await countRows('collision_photos'),
    ]
    const { not_anonymous: _, ...unconfirmed } = hitWith(PARTICULARS, [photo])
    for (const [field, collision] of [
      ['collision.not_anonymous', unconfirmed],
      ['collision.not_anonymous', { ...unconfirmed, not_anonymous: false }],
      ['collision.particulars', { ...HIT, particulars: undefined }],
      ['collision.particulars.phone', hitWith({ ...PARTICULARS, phone: '\u200b' })],
      ['collision.particulars.address', hitWith({ ...PARTICULARS, address: undefined })],
      ['collision.particulars.plate', hitWith({ ...PARTICULARS, plate: 'no plate at all' })],
      ['collision.photos', hitWith(PARTICULARS, Array(4).fill(photo))],
    ] as const) {
      const { status, body } = await send(sender, plate, collision)
      assert.deepEqual([status, body.code, Object.keys(body.fields)], [400, 'invalid_input', [field]])
    }
    const withoutReason = { plate, content: 'About your bumper', collision: HIT }
    assert.deepEqual(Object.keys((await sender.post('/api/messages', withoutReason)).body.fields), ['collision'])
    // a witness has no particulars to give away
    const saw = await send(sender, plate, { ...HIT, kind: 'saw' })
    assert.equal((await cardOf(owner, saw.body.id)).status, 404)
    assert.deepEqual(
      [await countRows('messages'), await countRows('collision_cards'), await countRows('collision_photos')],
      [before[0]! + 1, before[1], before[2]],
    )
  })

  test('goes with its message or not at all: refused, repeated, with a photo of somebody else', async () => {
    const [owner, sender, other] = [await app.user(), await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const [own, foreign] = [(await uploadImage(sender, picture)).body.id, (await uploadImage(other, picture)).body.id]
    const before = [await countRows('collision_cards'), await countRows('collision_photos')]
    const refused = await send(sender, plate, hitWith(PARTICULARS, [own, foreign]))
    assert.deepEqual([refused.status, refused.body.code], [409, 'attachment_unknown'])
    const unknown = await send(sender, 'NOBODY1', hitWith(PARTICULARS, [own]))
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'plate_not_registered'])
    assert.deepEqual([await countRows('collision_cards'), await countRows('collision_photos')], before)

    const key = { 'idempotency-key': `collision-${sender.id}` }
    const [first, meanwhile] = await Promise.all(
      [1, 2].map(() => send(sender, plate, hitWith(PARTICULARS, [own]), key)),
    )
    // the answer was lost: by now the upload is part of the card
    const again = await send(sender, plate, hitWith(PARTICULARS, [own]), key)
    assert.deepEqual([first!.status, meanwhile!.body, again.body], [201, first!.body, first!.body])
    const changed = await send(sender, plate, hitWith({ ...PARTICULARS, phone: '1' }, [own]), key)
    assert.equal(changed.body.code, 'idempotency_mismatch')
    assert.deepEqual(
      [await countRows('collision_cards'), await countRows('collision_photos')],
      [before[0]! + 1, before[1]! + 1],
    )
    assert.equal((await cardOf(owner, first!.body.id)).body.photos.length, 1)
  })

  test('keeps its photos when the answer of the database to the send is lost', async (t) => {
    const proxy = await startDatabaseProxy(app.database.connection)
    const database = { ...app.database, connection: proxy.connection }
    const cut = await testApp({ sibling: { config: app.config, database }, settings: { ROLE: 'web' } })
    t.after(async () => {
      await cut.close()
      proxy.close()
    })
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const photo = (await uploadImage(sender, picture)).body.id
    const key = `lost-answer-${sender.id}`
    const again = () =>
      send(cut.withToken(sender.token), plate, hitWith(PARTICULARS, [photo]), { 'idempotency-key': key })
    proxy.loseNextAnswerTo(key)
    assert.equal((await again()).status, 503)
    const body = await accepted(again())
    for (const who of [owner, sender]) assert.equal((await cardOf(who, body.id)).body.photos.length, 1)
  })

  test('outlives the account of its sender, and goes when nobody can read it any more', async () => {
    const { owner, sender, id } = await sendCollision(HIT)
    const { owner: gone, sender: left, id: kept } = await sendCollision(HIT)
    await deleteAccount(sender)
    await deleteAccount(gone)
    const cards = await countRows('collision_cards')
    await cleanUpCards(app.db, app.context.keyring)
    assert.deepEqual((await cardOf(owner, id)).body.particulars, SHOWN)
    assert.deepEqual((await cardOf(left, kept)).body.particulars, SHOWN)
    await deleteAccount(owner)
    await deleteAccount(left)
    await cleanUpCards(app.db, app.context.keyring)
    assert.equal(await countRows('collision_cards'), cards - 2)
  })

  test('of a blocked person reaches nobody, and looks sent', async () => {
    const { owner, sender, vehicle, id } = await sendCollision(HIT)
    assert.equal((await owner.post(`/api/messages/${id}/block`)).status, 204)
    const body = await accepted(
      send(sender, vehicle.plate, hitWith({ name: 'You cannot hide', phone: '1', address: '2' })),
    )
    assert.equal((await cardOf(owner, body.id)).status, 404)
    assert.equal((await cardOf(sender, body.id)).status, 200)
  })

  test('is a part of what is reported, and goes with a message that moderators delete', async () => {
    const { owner, sender, id } = await sendCollision(
      hitWith({ name: 'You cannot hide from me', phone: '1', address: '2' }),
    )
    assert.equal((await owner.post(`/api/messages/${id}/report`, { reason: 'threat' })).status, 201)
    const admin = await createAdmin(app)
    const reported = await caseOf(app, id)
    const opened = await admin.post(`/api/admin/reports/${reported.id}/open`, { purpose: 'a threat' })
    assert.match(opened.body.evidence.content, /You cannot hide from me/)
    const cards = await countRows('collision_cards')
    await deleteReported(app, admin, id)
    await cleanUpCards(app.db, app.context.keyring)
    assert.equal(await countRows('collision_cards'), cards - 1)
    for (const who of [owner, sender]) assert.equal((await cardOf(who, id)).status, 404)
  })
})

describe('a witness', () => {
  test('offers, is asked, and gives a contact: nothing is released before the second consent, and both are notified', async () => {
    const { owner, sender, id } = await sendCollision(WITNESS)
    assert.deepEqual(await collisionOf(owner, id), { kind: 'saw', witness: 'offered', contact: null })
    // nobody can answer what was not asked
    assert.equal((await answer(sender, id, { release: true, contact: CONTACT })).body.code, 'witness_moved_on')
    assert.equal((await ask(sender, id)).status, 404)
    const asked = { kind: 'saw', witness: 'asked', contact: null }
    assert.deepEqual((await ask(owner, id)).body, asked)
    assert.deepEqual((await ask(owner, id)).body, asked)
    assert.deepEqual(await noticesOf(sender, id), ['witness_asked'])
    assert.match((await app.mails(sender.email))[0]!.subject, /asks for your contact/)
    assert.equal((await answer(owner, id, { release: true, contact: CONTACT })).status, 404)
    const bare = await answer(sender, id, { release: true })
    assert.deepEqual([bare.status, Object.keys(bare.body.fields)], [400, ['contact']])
    assert.deepEqual(await collisionOf(owner, id), asked)

    const released = { kind: 'saw', witness: 'released', contact: CONTACT }
    assert.deepEqual((await answer(sender, id, { release: true, contact: CONTACT })).body, released)
    assert.deepEqual(await collisionOf(owner, id), released)
    assert.ok((await noticesOf(owner, id)).includes('witness_answered'))
    const [mail] = await app.mails(owner.email, 2)
    assert.match(mail!.subject, /gave you a contact/)
    assert.ok(!JSON.stringify(mail).includes(CONTACT.phone))
    for (const call of [() => ask(owner, id), () => withdraw(sender, id), () => answer(sender, id, { release: false })])
      assert.equal((await call()).body.code, 'witness_moved_on')
  })

  test('declines, or takes the offer back before giving a contact, and stays anonymous', async () => {
    const declined = await sendCollision(WITNESS)
    await ask(declined.owner, declined.id)
    await answer(declined.sender, declined.id, { release: false, contact: CONTACT })
    assert.deepEqual(await collisionOf(declined.owner, declined.id), {
      kind: 'saw',
      witness: 'declined',
      contact: null,
    })
    assert.ok(!(await declined.owner.get('/api/export')).text.includes(CONTACT.phone))

    for (const isAsked of [false, true]) {
      const { owner, sender, id } = await sendCollision(WITNESS)
      if (isAsked) await ask(owner, id)
      assert.equal((await withdraw(owner, id)).status, 404)
      const withdrawn = { kind: 'saw', witness: 'withdrawn', contact: null }
      assert.deepEqual((await withdraw(sender, id)).body, withdrawn)
      assert.deepEqual((await withdraw(sender, id)).body, withdrawn)
      assert.deepEqual(await collisionOf(owner, id), withdrawn)
      assert.equal((await ask(owner, id)).body.code, 'witness_moved_on')
      assert.equal((await answer(sender, id, { release: true, contact: CONTACT })).body.code, 'witness_moved_on')
      // only the person who asked is notified
      assert.equal((await noticesOf(owner, id)).includes('witness_answered'), isAsked)
    }
  })

  test('who offered nothing, or hit the vehicle, cannot be asked', async () => {
    const silent = await sendCollision({ kind: 'saw' })
    assert.equal((await ask(silent.owner, silent.id)).body.code, 'witness_moved_on')
    const hit = await sendCollision(HIT)
    assert.equal((await ask(hit.owner, hit.id)).status, 404)
  })

  test('somebody who has blocked the owner is never notified of the question, and the owner cannot find out', async () => {
    const { owner, sender, id } = await sendCollision(WITNESS)
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Who are you?' })).status, 200)
    assert.equal((await sender.post(`/api/messages/${id}/block`)).status, 204)
    assert.deepEqual((await ask(owner, id)).body, { kind: 'saw', witness: 'asked', contact: null })
    assert.equal((await collisionOf(owner, id)).witness, 'asked')
    assert.equal((await collisionOf(sender, id)).witness, 'offered')
    assert.ok(!(await noticesOf(sender, id)).includes('witness_asked'))
  })

  test('whom the owner has blocked gives a contact that never arrives', async () => {
    const { owner, sender, id } = await sendCollision(WITNESS)
    await ask(owner, id)
    assert.equal((await owner.post(`/api/messages/${id}/block`)).status, 204)
    assert.equal((await answer(sender, id, { release: true, contact: CONTACT })).body.witness, 'released')
    assert.deepEqual(await collisionOf(owner, id), { kind: 'saw', witness: 'asked', contact: null })
    assert.ok(!(await noticesOf(owner, id)).includes('witness_answered'))
  })
})

// that it leads to nothing in what people get is in server/src/test/confidentiality.test.ts
describe('a card leads to nothing else its sender wrote', () => {
  test('in the database without the keys: no row outside the card shares a value with it', async () => {
    const { sender, vehicle, id } = await sendCollision(HIT)
    const photo = (await uploadImage(sender, picture)).body.id
    const second = (await send(sender, vehicle.plate, hitWith(PARTICULARS, [photo]))).body.id
    await send(sender, vehicle.plate, WITNESS)
    await sender.post('/api/messages', { plate: vehicle.plate, content: 'Your lights are on' })
    const cards = await app.db<{ row: Record<string, string> }[]>`select to_jsonb(c) as row from collision_cards c`
    const photos = await app.db<{ row: Record<string, string> }[]>`
      select to_jsonb(p) - 'photo_box' as row from collision_photos p`
    const values = new Set([...cards, ...photos].flatMap(({ row }) => Object.values(row).map(String)))
    // a day, and a position from 1 to 3, are the same for many
    const own = [...values].filter((value) => value.length > 10)
    assert.ok(own.length >= 4 * cards.length)
    const tables = await app.db<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'auth') and tablename not in ('collision_cards', 'collision_photos')`
    let rows = 0
    for (const { name } of tables)
      for (const { text } of await app.db.unsafe<{ text: string }[]>(
        `select to_jsonb(t)::text as text from ${name} t`,
      )) {
        rows++
        for (const value of own) assert.ok(!text.includes(value.replace('\\x', '')), `${value} in ${name}`)
      }
    assert.ok(rows > 20)
    // nothing in a card is a time, or an id that grows with it
    for (const { row } of cards) {
      assert.match(row['created_on']!, /^\d{4}-\d\d-\d\d$/)
      assert.equal(row['id']![14], '4', 'a random UUID')
    }
    for (const message of [id, second]) assert.ok(!values.has(message))
    // a message with a card looks like any other about a collision
    const lengths = await app.db<{ length: number }[]>`
      select distinct length(content_encrypted) as length from messages where has_collision and content_encrypted is not null`
    assert.equal(lengths.length, 1)
  })
})
