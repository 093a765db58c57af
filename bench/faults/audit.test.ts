import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '../../server/src/db/ids.ts'
import { type TestApp, testApp } from '../../server/src/test/app.ts'
import { type Audit, auditFigures, auditSends } from './audit.ts'
import type { TakenMail } from './mail-sink.ts'
import type { Acknowledged } from './senders.ts'

const SENDS = 3

/** Plants one error in what was sent in each test, which the audit has to find. */
describe('the audit of sends', () => {
  let app: TestApp
  let acknowledged: Acknowledged
  let taken: TakenMail[]
  before(async () => {
    app = await testApp({ settings: { ROLE: 'web' } })
  })
  after(() => app.close())

  beforeEach(async () => {
    await app.db`delete from messages`
    await app.db`delete from notifications`
    await app.db`delete from outbox`
    const sender = await app.user()
    acknowledged = new Map()
    for (let i = 0; i < SENDS; i++) {
      const { plate } = await app.vehicle(await app.user())
      const key = newId()
      const { body } = await sender.post('/api/messages', { plate, content: 'Lights' }, { 'idempotency-key': key })
      acknowledged.set(key, { id: body.id, at: 0 })
    }
    const rows = await app.db<{ id: string; email: string }[]>`
      select o.id, u.email from outbox o join auth.users u on u.id = o.recipient_id where kind = 'message'`
    taken = rows.map(({ id, email }) => ({ row: id, to: email, text: '', at: 10 }))
  })

  const audit = () => auditSends(app.db, acknowledged, { taken }, 1_000)
  const [firstId, secondId] = [() => [...acknowledged.values()][0]!.id, () => [...acknowledged.values()][1]!.id]

  async function assertFinds(found: Partial<Audit>) {
    const none = {
      ...{ lost: 0, unacknowledged: 0, underAnotherKey: 0, notOneNotification: 0, strayNotifications: 0 },
      ...{ mailMissing: 0, mailLate: 0, mailDoubled: 0, strayMails: 0 },
    }
    const result = await audit()
    assert.deepEqual(result, { acknowledged: SENDS, slowestMailMs: 10, ...none, ...found })
    return auditFigures(result).filter(({ aim }) => aim && !aim.isReached).length
  }

  test('finds nothing where nothing is wrong', async () => {
    assert.equal(await assertFinds({}), 0)
  })

  test('finds a copy that is stored under no key', async () => {
    await app.db`
      insert into messages (id, vehicle_id, sender_id, content_encrypted, plate, addressed_to)
      select gen_random_uuid(), vehicle_id, sender_id, content_encrypted, plate, addressed_to
      from messages where id = ${firstId()}`
    assert.equal(await assertFinds({ unacknowledged: 1, notOneNotification: 1 }), 2)
  })

  test('finds an acknowledgement with the id of another send', async () => {
    acknowledged.set(newId(), { id: firstId(), at: 0 })
    const { underAnotherKey } = await audit()
    assert.equal(underAnotherKey, 1)
  })

  test('finds an acknowledged message that was lost', async () => {
    taken = taken.slice(0, 0)
    await app.db`delete from messages where id = ${firstId()}`
    assert.equal(await assertFinds({ lost: 1, mailMissing: SENDS, slowestMailMs: 0 }), 1)
  })

  test('finds a message without a notification, and one with two', async () => {
    await app.db`delete from notifications where message_id = ${firstId()}`
    await app.db`
      insert into notifications (id, user_id, number, type, data, message_id)
      select gen_random_uuid(), user_id, number + 1, 'witness_answered', data, message_id
      from notifications where message_id = ${secondId()}`
    assert.equal(await assertFinds({ notOneNotification: 2 }), 1)
  })

  test('finds a notification of a new message that names no message', async () => {
    await app.db`
      insert into notifications (id, user_id, number, type, data)
      select gen_random_uuid(), user_id, number + 1, type, data from notifications where message_id = ${firstId()}`
    assert.equal(await assertFinds({ strayNotifications: 1 }), 1)
  })

  test('finds a mail the outbox does not have, one to somebody else, one that came twice and one too late', async () => {
    const [first, second, third] = taken
    taken.push({ ...first!, row: newId() }, { ...first!, to: second!.to }, { ...second!, at: 20 })
    third!.at = 2_000
    assert.equal(await assertFinds({ strayMails: 2, mailDoubled: 1, mailLate: 1, slowestMailMs: 2_000 }), 1)
  })
})
