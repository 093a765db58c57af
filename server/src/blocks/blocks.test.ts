import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Caller, deleteAccount, type Person, type TestResponse, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { sendMessage, whileNew } from '../test/messages.ts'

// Blocking (decision blocking-people). Users are created on a server with raised limits, and write through one with the real ones.

const unlimited = await testApp()
const app = await testApp({ sibling: unlimited, settings: { LIMIT_SCALE: '1' } })

const { db } = unlimited

/** A user, with the same calls under the real limits. */
type Sender = Person & { limited: Caller }
const withLimits = (person: Person): Sender => ({ ...person, limited: app.withToken(person.token) })

const block = async (who: Caller, message: string) => {
  const { status, text } = await who.post(`/api/messages/${message}/block`)
  assert.deepEqual([status, text], [204, ''])
}
const listBlocks = async (who: Caller) => (await who.get('/api/blocks')).body.items
const receivedIds = async (who: Caller): Promise<string[]> =>
  (await who.get('/api/messages?view=received&limit=100')).body.items.map(({ id }: { id: string }) => id)

/** Lets time pass for everything that was written. */
async function advanceTime(span: string) {
  await db`update messages set inserted_at = inserted_at - ${span}::interval, replied_at = replied_at - ${span}::interval`
  await db`
    update rate_counters set window_start = window_start - ${span}::interval, expires_at = expires_at - ${span}::interval
    where window_start > 'epoch'`
  await db`update notifications set created_at = created_at - ${span}::interval`
}

/** Returns everything of a response but what differs between any two messages: ids, times, and seconds to wait. */
function maskResponse({ status, headers, text }: TestResponse): string {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'etag'].includes(name))
  return JSON.stringify([status, kept, text])
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/("retry-after",")\d+/g, '$1N')
}

describe('a blocked person', () => {
  test('reads the same bytes as somebody who is not, over a month: send, list, state, reply, refusals, live', async () => {
    const owner = await unlimited.user()
    const { plate } = await unlimited.vehicle(owner)
    const createSender = async () => withLimits(await unlimited.user({ aged: true }))
    const [blocked, other] = [await createSender(), await createSender()]
    const streams = await Promise.all([blocked, other].map(({ token }) => openStream(unlimited.url, token)))
    const first = await Promise.all([blocked, other].map(({ limited }) => sendMessage(limited, plate)))
    await block(owner, first[0]!)

    const ids: string[][] = [[], []]
    /** What both have sent since time was advanced. */
    let fresh = [...first]
    /** Does the same as both of them, one after the other, and compares what they get. */
    const both = async (what: string, call: (who: Sender, of: string[]) => Promise<TestResponse>) => {
      const [one, two] = await whileNew(db, fresh, async () => [
        await call(blocked, ids[0]!),
        await call(other, ids[1]!),
      ])
      assert.deepEqual([what, maskResponse(one)], [what, maskResponse(two)])
      return [one, two] as const
    }
    const statuses: number[] = []
    for (const span of ['0 seconds', '4 seconds', '1 hour', '23 hours', '6 days', '23 days', '1 day']) {
      await advanceTime(span)
      for (let i = 0; i < 3; i++) {
        const sent = await both(`a send after ${span}`, ({ limited }) =>
          limited.post('/api/messages', { plate, content: `Message ${i}`, reason: 'lights_on' }),
        )
        statuses.push(sent[0].status)
        sent.forEach(({ status, body }, k) => {
          if (status !== 201) return
          ids[k]!.push(body.id)
          fresh.push(body.id)
        })
      }
      await both('the list', ({ limited }) => limited.get('/api/messages?view=sent'))
      await both('the newest', ({ limited }, of) => limited.get(`/api/messages/${of.at(-1)}`))
      await both('the oldest', ({ limited }, of) => limited.get(`/api/messages/${of[0]}`))
      fresh = []
    }
    // both were refused too: the limit on messages without an answer counts those that were not delivered
    assert.ok(statuses.includes(201) && statuses.includes(429))
    await both('notifications', ({ limited }) => limited.get('/api/notifications'))
    await both('the numbers of the dashboard', ({ limited }) => limited.get('/api/dashboard'))
    await both('a repeated block of their own message', ({ limited }, of) =>
      limited.post(`/api/messages/${of[0]}/block`),
    )
    await both('their own message, reported', ({ limited }, of) =>
      limited.post(`/api/messages/${of[0]}/report`, { reason: 'other' }),
    )
    const [one, two] = streams.map((stream) => stream.events('notification').concat(stream.events('unread')))
    assert.deepEqual(fieldsOf(one!, 'event', 'data'), fieldsOf(two!, 'event', 'data'))
    await Promise.all(streams.map((stream) => stream.close()))

    // nor after both of them delete their account and come back
    const returned: Sender[] = []
    for (const person of [blocked, other]) {
      await deleteAccount(person)
      returned.push(withLimits(await unlimited.user({ email: person.email })))
    }
    const again: string[] = []
    for (const call of [
      (who: Sender) => who.limited.post('/api/messages', { plate, content: 'Me again', reason: 'lights_on' }),
      (who: Sender) => who.limited.get('/api/messages?view=sent'),
      (who: Sender) => who.limited.get('/api/notifications'),
    ]) {
      const [one, two] = await whileNew(db, again, async () => [await call(returned[0]!), await call(returned[1]!)])
      assert.equal(maskResponse(one), maskResponse(two))
      if (one.status === 201) again.push(one.body.id, two.body.id)
    }
    assert.equal(again.length, 2)
    ids[1]!.push(again[1]!)

    // what came before the block stays, and nothing came after it
    assert.deepEqual((await receivedIds(owner)).toSorted(), [...first, ...ids[1]!].toSorted())
    const notified = await db`
      select message_id from notifications where message_id = any(${ids[0]!}::uuid[])
      union all select ref_id from outbox where ref_id = any(${ids[0]!}::uuid[])`
    assert.equal(notified.length, 0)
  })

  test('stays blocked on every plate of the account, with a new account, and in another spelling of the mailbox', async () => {
    const owner = await unlimited.user()
    const [one, two] = [await unlimited.vehicle(owner), await unlimited.vehicle(owner)]
    const email = `harasser-${randomUUID()}@example.com`
    const sender = await unlimited.user({ email })
    const first = await sendMessage(sender, one.plate)
    await block(owner, first)
    await sendMessage(sender, two.plate)
    await deleteAccount(sender)
    const again = await unlimited.user({ email: email.replace('@', '+new@') })
    await sendMessage(again, one.plate)
    // the message and the vehicle it came to are gone: the block is not
    await owner.delete(`/api/vehicles/${one.id}`)
    await sendMessage(again, two.plate)
    assert.deepEqual(await receivedIds(owner), [])
    const stranger = await sendMessage(await unlimited.user(), two.plate)
    assert.deepEqual(await receivedIds(owner), [stranger])
    const [item, ...more] = await listBlocks(owner)
    assert.deepEqual([item.plate, more], [one.plate, []])
  })

  test('reaches everybody else, and the same owner again once the block ends', async () => {
    const [owner, neighbour] = [await unlimited.user(), await unlimited.user()]
    const [own, others] = [await unlimited.vehicle(owner), await unlimited.vehicle(neighbour)]
    const sender = await unlimited.user()
    await block(owner, await sendMessage(sender, own.plate))
    const elsewhere = await sendMessage(sender, others.plate)
    assert.deepEqual(await receivedIds(neighbour), [elsewhere])
    const lost = await sendMessage(sender, own.plate)
    const [{ id }] = await listBlocks(owner)
    assert.equal((await owner.delete(`/api/blocks/${id}`)).status, 204)
    assert.equal((await owner.delete(`/api/blocks/${id}`)).status, 404)
    const later = await sendMessage(sender, own.plate)
    const arrived = await receivedIds(owner)
    assert.ok(arrived.includes(later) && !arrived.includes(lost))
  })
})

test('the list shows each block by its message and nothing that reveals which are of one person', async () => {
  const owner = await unlimited.user()
  const { plate } = await unlimited.vehicle(owner)
  const [one, two] = [await unlimited.user(), await unlimited.user()]
  const ids = [await sendMessage(one, plate), await sendMessage(two, plate), await sendMessage(one, plate)]
  for (const id of [ids[0]!, ids[1]!, ids[2]!, ids[2]!]) await block(owner, id)
  const items = await listBlocks(owner)
  const messages = (await owner.get('/api/messages?view=received')).body.items
  assert.deepEqual(
    items.map((item: object) => Object.keys(item).sort()),
    Array(3).fill(['by_driver', 'created_at', 'id', 'message_inserted_at', 'plate', 'view']),
  )
  assert.deepEqual(fieldsOf(items, 'message_inserted_at'), fieldsOf(messages, 'inserted_at'))
  // one of two blocks of a person ends: the other holds
  await owner.delete(`/api/blocks/${items[0].id}`)
  await sendMessage(one, plate)
  assert.equal((await receivedIds(owner)).length, 3)
})

describe('an owner whose replies are blocked', () => {
  test('replies as to anybody, and the sender never learns of it', async () => {
    const owner = await unlimited.user()
    const [one, two] = [await unlimited.vehicle(owner), await unlimited.vehicle(owner)]
    const [sender, other] = [await unlimited.user(), await unlimited.user()]
    const before = await sendMessage(sender, one.plate)
    await owner.post(`/api/messages/${before}/reply`, { reply: 'I know where you live' })
    await block(sender, before)
    const stream = await openStream(unlimited.url, sender.token)
    // on every plate of that owner
    const [later, elsewhere, plain] = [
      await sendMessage(sender, one.plate),
      await sendMessage(sender, two.plate),
      await sendMessage(other, one.plate),
    ]
    await advanceTime('4 seconds') // the state of the email changes once more until then
    const unanswered = maskResponse(await sender.get(`/api/messages/${later}`))
    const replies = []
    for (const id of [later, plain, elsewhere])
      replies.push(await owner.post(`/api/messages/${id}/reply`, { reply: 'We will meet' }))
    assert.equal(replies[0]!.status, 200)
    assert.equal(maskResponse(replies[0]!), maskResponse(replies[1]!))
    for (const read of [`/api/messages/${later}`, '/api/messages?view=received&limit=3'])
      assert.ok((await owner.get(read)).text.includes('We will meet'), read)
    assert.equal((await owner.post(`/api/messages/${later}/reply`, { reply: 'again' })).body.code, 'already_replied')

    // the other sender has been notified; so would this one have been
    await unlimited.mails(other.email)
    assert.equal(maskResponse(await sender.get(`/api/messages/${later}`)), unanswered)
    for (const path of ['/api/messages?view=sent', '/api/notifications', '/api/dashboard', '/api/export']) {
      const { text } = await sender.get(path)
      assert.ok(!text.includes('We will meet'), path)
    }
    const notices = (await sender.get('/api/notifications')).body.items
    assert.deepEqual(
      notices.map(({ data }: { data: { message_id: string } }) => data.message_id),
      [before],
    )
    assert.ok(!stream.raw().includes(later) && !stream.raw().includes(elsewhere))
    await stream.close()
    const mails = await db`select from outbox where ref_id = any(${[later, elsewhere]}::uuid[]) and kind = 'reply'`
    assert.equal(mails.length, 0)
    // there is nothing to report, as there would be nothing without a reply
    assert.equal(
      (await sender.post(`/api/messages/${later}/report`, { reason: 'threat' })).body.code,
      'nothing_to_report',
    )

    const [{ id, plate, view }] = await listBlocks(sender)
    assert.deepEqual([plate, view], [one.plate, 'sent'])
    await sender.delete(`/api/blocks/${id}`)
    const last = await sendMessage(sender, one.plate)
    await owner.post(`/api/messages/${last}/reply`, { reply: 'Thank you' })
    const { body } = await sender.get(`/api/messages/${last}`)
    assert.equal(body.reply, 'Thank you')
    assert.equal((await sender.get(`/api/messages/${later}`)).body.reply, null)
  })

  test('can still be written to, and still gets messages about other things', async () => {
    const [owner, sender] = [await unlimited.user(), await unlimited.user()]
    const own = await unlimited.vehicle(owner)
    const theirs = await unlimited.vehicle(sender)
    await block(sender, await sendMessage(sender, own.plate))
    const id = await sendMessage(sender, own.plate)
    assert.ok((await receivedIds(owner)).includes(id))
    // replies are blocked, not messages: otherwise a sender could find out whose vehicle else it is
    const message = await sendMessage(owner, theirs.plate)
    await eventually(async () => ((await receivedIds(sender)).includes(message) ? true : undefined))
  })

  test('stays blocked after the vehicle, with a new account', async () => {
    const email = `owner-${randomUUID()}@example.com`
    const first = await unlimited.user({ email })
    const sender = await unlimited.user()
    const vehicle = await unlimited.vehicle(first)
    const id = await sendMessage(sender, vehicle.plate)
    await first.post(`/api/messages/${id}/reply`, { reply: 'Go away' })
    await deleteAccount(first)
    await block(sender, id)
    const again = await unlimited.user({ email })
    const { plate } = await unlimited.vehicle(again)
    const later = await sendMessage(sender, plate)
    assert.equal((await again.post(`/api/messages/${later}/reply`, { reply: 'It is me' })).status, 200)
    assert.equal((await sender.get(`/api/messages/${later}`)).body.reply, null)
  })
})
