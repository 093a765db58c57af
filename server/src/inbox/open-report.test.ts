import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Person } from '../test/app.ts'
import { caseOf, reportedMessage } from '../test/cases.ts'
import { fieldsOf } from '../test/fields.ts'
import { startInbox } from '../test/inbox.ts'
import { PIXEL, uploadImage } from '../test/upload.ts'

// Reports in the inbox, and opening one (decision admin-inbox).

const { app, admin, at, open, decide, auditOf, mailsTo } = await startInbox()

describe('the queue', () => {
  test('six reporters of one network change nothing; three independent ones move their cases up and no more', async () => {
    const [quiet, loud] = [await app.user(), await app.user()]
    const write = async (sender: Person, owner: Person, network: string) => {
      const { plate } = await app.vehicle(owner)
      const { body } = await sender.post('/api/messages', { plate, content: 'Move your car' })
      const from = { 'x-forwarded-for': network }
      assert.equal((await owner.post(`/api/messages/${body.id}/report`, { reason: 'spam' }, from)).status, 201)
    }
    await reportedMessage(app) // older, by one reporter
    for (let i = 1; i <= 6; i++) await write(quiet, await app.user(), `198.51.100.${i}`)
    for (let i = 1; i <= 3; i++) await write(loud, await app.user(), `203.${i}.113.1`)
    const { body } = await admin.get('/api/admin/inbox?kind=report&limit=100')
    type Item = { id: string; reporters: number; is_raised: boolean; state: string }
    const raised = body.items.filter(({ is_raised }: Item) => is_raised)
    assert.deepEqual(fieldsOf(raised, 'reporters', 'state'), [
      [3, 'open'],
      [3, 'open'],
      [3, 'open'],
    ])
    assert.deepEqual(body.items.slice(0, 3), raised)
    // nothing followed by itself
    for (const person of [quiet, loud]) {
      assert.equal((await person.get('/api/messages?view=sent')).status, 200)
      assert.equal((await mailsTo(person)).length, 0)
    }
  })
})

describe('opening a case', () => {
  test('needs a purpose, shows everything that was copied, and leaves a row in the audit log each time', async () => {
    const [sender, owner] = [await app.user(), await app.user()]
    const { body: image } = await uploadImage(sender, PIXEL)
    const { plate } = await app.vehicle(owner)
    const input = { plate, content: 'canary content', reason: 'other', attachment_id: image.id }
    const { body: message } = await sender.post('/api/messages', input)
    const report = { reason: 'harassment', note: 'canary note' }
    await owner.post(`/api/messages/${message.id}/report`, report)
    const { id } = await caseOf(app, message.id)

    for (const purpose of [undefined, '', ' \u200b ', 'x'.repeat(501)]) {
      const { status, body } = await admin.post(at(id, 'open'), { purpose })
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['purpose']])
    }
    assert.deepEqual(await auditOf(id), [])

    const { status, body, text } = await open(admin, id, 'She called us')
    assert.equal(status, 200)
    assert.deepEqual([body.evidence.content, body.evidence.typed_plate], ['canary content', plate])
    assert.deepEqual(
      body.reports.map(({ reason, note }: { reason: string; note: string }) => ({ reason, note })),
      [report],
    )
    assert.equal(body.evidence.vehicle.make, 'Honda')
    assert.match(body.image, /^data:image\/webp;base64,UklGR/)
    for (const secret of [sender.id, sender.email, owner.id, owner.email]) assert.ok(!text.includes(secret), secret)
    await open(admin, id, 'She called again')
    assert.deepEqual(
      (await auditOf(id)).map((entry: Record<string, string>) => [
        entry['action'],
        entry['actor_email'],
        entry['subject'],
        entry['reason'],
      ]),
      [
        ['report_opened', admin.email, 'harassment', 'She called again'],
        ['report_opened', admin.email, 'harassment', 'She called us'],
      ],
    )
  })

  test('shows what was decided about the same person before', async () => {
    const first = await reportedMessage(app)
    assert.equal((await decide(admin, first.caseId, 'warn', { reason: 'Please be kind.' })).status, 200)
    const second = await reportedMessage(app, { sender: first.sender })
    const { body } = await open(admin, second.caseId)
    assert.deepEqual(
      body.other_reports.map((one: { id: string; decision: { action: string } }) => [one.id, one.decision.action]),
      [[first.caseId, 'warn']],
    )
    assert.deepEqual(fieldsOf(body.sanctions, 'kind', 'reason'), [['warn', 'Please be kind.']])
  })

  test('shows a damaged case as far as it can be read, so that it can be decided', async () => {
    const { caseId } = await reportedMessage(app)
    await app.db`update report_cases set evidence_box = '\\x00' where id = ${caseId}`
    const { status, body } = await open(admin, caseId)
    assert.deepEqual([status, body.evidence, body.reports], [200, null, []])
    assert.equal((await decide(admin, caseId, 'dismiss')).status, 200)
  })
})
