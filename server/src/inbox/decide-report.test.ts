import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { caseOf, deleteReported, reportedMessage } from '../test/cases.ts'
import { createAdmin } from '../test/disputes.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { withFactor } from '../test/factors.ts'
import { startInbox } from '../test/inbox.ts'
import { mailAbout } from '../test/sanctions.ts'
import { join } from '../test/vehicle-people.ts'

// What admins decide about a report (decision admin-inbox).

const { app, admin, open, decide, auditOf, idsOf, mailsTo } = await startInbox()

/** Creates a message to a vehicle with so many drivers, who have it too. */
async function sharedMessage(driverCount: number) {
  const [sender, owner] = [await app.user(), await app.user()]
  const drivers = await Promise.all(Array.from({ length: driverCount }, () => app.user()))
  const { id: vehicleId, plate } = await app.vehicle(owner)
  for (const driver of drivers) await join(owner, vehicleId, driver)
  const { body: message } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
  const path = `/api/messages/${message.id}`
  for (const driver of drivers)
    await eventually(async () => ((await driver.get(path)).status === 200 ? true : undefined))
  const cases = () => app.db<{ id: string }[]>`
    select id from report_cases where message_id = ${message.id} order by side desc`
  return { sender, owner, drivers, path, cases }
}

describe('a decision', () => {
  test('to dismiss closes the case and notifies nobody', async () => {
    const { caseId, sender, owner } = await reportedMessage(app)
    const before = await app.db`select from outbox where recipient_id in (${sender.id}, ${owner.id})`
    const { status, body } = await decide(admin, caseId, 'dismiss', { reason: 'Nothing in it.' })
    assert.deepEqual([status, body.state, body.decision.action], [200, 'closed', 'dismiss'])
    assert.equal(body.decision.decided_by, admin.email)
    const after = await app.db`select from outbox where recipient_id in (${sender.id}, ${owner.id})`
    assert.equal(after.length, before.length)
    assert.equal((await open(admin, caseId)).body.decision_reason, 'Nothing in it.')
    assert.ok((await idsOf('closed')).includes(caseId))
    assert.ok(!(await idsOf('open')).includes(caseId))
  })

  test('after a suspension leaves that one what the person reads and appeals, as long as it is in force', async () => {
    const later = [
      ['warn', undefined],
      ['delete_message', undefined],
      ['suspend', 7],
    ] as const
    for (const [action, days] of later) {
      const first = await reportedMessage(app)
      const { sender, owner } = first
      const second = await reportedMessage(app, { sender, owner })
      assert.equal((await decide(admin, first.caseId, 'suspend', { reason: 'The first.' })).status, 200)
      assert.equal((await decide(admin, second.caseId, action, { reason: 'The second.', days })).status, 200)
      const again = await app.signIn(sender.email, sender.password)
      const read = async () => (await again.post('/api/appeals/sanction', {})).body
      const { kind, reason, ends_at, in_force, appeal } = await read()
      assert.deepEqual([kind, reason, ends_at, in_force, appeal], ['suspend', 'The first.', null, true, 'open'], action)
      await app.db`update sanctions set ends_at = now() where case_id = ${second.caseId} and ends_at is not null`
      assert.equal((await read()).reason, 'The first.')
      assert.equal((await again.post('/api/appeals', { text: 'It was not me.' })).status, 201)
      assert.equal((await read()).appeal, 'made')
      const lifted = await admin.post(`/api/admin/people/${first.subjectId}/lift`, { reason: 'Enough.' })
      assert.equal(lifted.status, 200)
      assert.equal((await read()).reason, 'The second.')
    }
  })

  test('to delete the message takes it from both sides, and the evidence stays', async () => {
    const { caseId, messageId, sender, owner } = await reportedMessage(app, { content: 'to be gone' })
    assert.equal((await decide(admin, caseId, 'delete_message')).status, 200)
    for (const person of [sender, owner]) {
      assert.equal((await person.get(`/api/messages/${messageId}`)).status, 404)
      const { body } = await person.get('/api/notifications')
      assert.ok(!JSON.stringify(body).includes(messageId))
    }
    assert.equal((await open(admin, caseId)).body.evidence.content, 'to be gone')
  })

  test('to delete a reply takes the reply alone, with its answer, and its author does not get another one', async () => {
    const [sender, owner] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const { body: message } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
    const reply = { reply: 'canary reply', answer: 'not_my_car' }
    await owner.post(`/api/messages/${message.id}/reply`, reply)
    assert.equal((await sender.post(`/api/messages/${message.id}/report`, { reason: 'harassment' })).status, 201)
    assert.equal((await caseOf(app, message.id)).side, 'reply')
    await deleteReported(app, admin, message.id)
    for (const person of [sender, owner]) {
      const { status, body } = await person.get(`/api/messages/${message.id}`)
      assert.deepEqual(
        [status, body.content, body.reply, body.answer, body.replied_at],
        [200, 'Your lights are on', null, null, null],
      )
    }
    // the sender could not report it: the case about this reply is closed
    const again = await owner.post(`/api/messages/${message.id}/reply`, reply)
    assert.deepEqual([again.status, again.body.code], [409, 'reply_removed'])
    assert.equal((await owner.get(`/api/messages/${message.id}`)).body.reply_removed, true)
    assert.equal('reply_removed' in (await sender.get(`/api/messages/${message.id}`)).body, false)
    const { body } = await sender.get('/api/notifications')
    assert.ok(!JSON.stringify(body).includes(message.id))
  })

  test('to delete leaves the open pages of everybody who could read it, on every process', async (t) => {
    await using other = await testApp({ sibling: app })
    const { sender, owner, drivers, path, cases } = await sharedMessage(1)
    const [driver] = drivers as [Person]
    await driver.post(`${path}/reply`, { reply: 'I know where you park' })
    await sender.post(`${path}/report`, { reason: 'harassment' })
    await owner.post(`${path}/report`, { reason: 'other' })
    for (const [i, { id }] of (await cases()).entries()) {
      const streams = await Promise.all([
        openStream(app.url, sender.token),
        openStream(app.url, owner.token),
        openStream(other.url, driver.token),
      ])
      t.after(() => Promise.all(streams.map((stream) => stream.close())))
      await Promise.all(streams.map((stream) => stream.next(({ event }) => event === 'unread')))
      assert.equal((await decide(admin, id, 'delete_message')).status, 200)
      await Promise.all(streams.map((stream) => stream.next(({ event }) => event === 'changed')))
      // the reply first, then the message with it
      for (const person of [sender, owner, driver]) {
        const { status, body } = await person.get(path)
        assert.deepEqual([status, body.reply], i === 0 ? [200, null] : [404, undefined])
      }
    }
  })

  test('is announced in the language of the person, with who decided, why, how long, and how to appeal', async () => {
    const TEXTS = {
      en: {
        subjects: { warn: /warning/, limit: /2 messages/, delete_message: /deleted/, suspend: /suspended/ },
        person: /A person on the PlateNote team reviewed the case/,
        ends: /It ends on \w+day, /,
        appeal: /You can appeal once, until \w+day, .+Someone other than the person who decided/s,
        link: /[^r]\/appeal#token=[\w-]{43}/,
      },
      'fr-CA': {
        subjects: { warn: /avertissement/, limit: /2 messages/, delete_message: /retiré/, suspend: /suspendu/ },
        person: /Une personne de l’équipe PlateNote a examiné le dossier/,
        ends: /Cette mesure prend fin le /,
        appeal: /Vous pouvez demander une révision, une seule fois, jusqu’au .+Une autre personne que celle/s,
        link: /\/fr\/appeal#token=[\w-]{43}/,
      },
    }
    for (const [locale, { subjects, person, ends, appeal, link }] of Object.entries(TEXTS)) {
      const sender = await app.user({ locale })
      for (const [action, subject] of Object.entries(subjects)) {
        const { caseId } = await reportedMessage(app, { sender })
        const reason = `Why we chose ${action}.`
        assert.equal((await decide(admin, caseId, action, { reason, days: 7 })).status, 200)
        const { text } = await mailAbout(app, sender.email, subject)
        for (const said of [person, appeal, link]) assert.match(text, said)
        assert.ok(text.includes(reason))
        assert.equal(ends.test(text), ['limit', 'suspend'].includes(action), text)
      }
    }
  })

  test('is taken once: of two admins at one moment the second reads that it is decided', async () => {
    const other = await createAdmin(app)
    const { caseId, sender, subjectId } = await reportedMessage(app)
    const responses = await Promise.all([decide(admin, caseId, 'warn'), decide(other, caseId, 'limit')])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409])
    assert.equal(responses.find(({ status }) => status === 409)!.body.code, 'case_closed')
    assert.deepEqual(
      [(await decide(admin, caseId, 'dismiss')).body.code, (await mailsTo(sender)).length],
      ['case_closed', 1],
    )
    assert.equal((await app.db`select from sanctions where subject_id = ${subjectId}`).length, 1)
    const decided = (await auditOf(caseId)).filter(({ action }: { action: string }) => action === 'report_decided')
    assert.equal(decided.length, 1)
  })

  test('holds until somebody else reports the same, whatever it was: then the case waits for a decision again', async () => {
    const { owner, drivers, path, cases } = await sharedMessage(2)
    const report = (who: Person, input: object, ip: string) =>
      who.post(`${path}/report`, input, { 'x-forwarded-for': ip })

    assert.equal((await report(drivers[0]!, { reason: 'spam' }, '192.0.2.1')).status, 201)
    const [{ id: caseId } = { id: '' }] = await cases()
    for (const [i, [action, reporter, more]] of (
      [
        ['dismiss', owner, { reason: 'threat', note: 'He wrote that he knows my children.' }],
        ['warn', drivers[1]!, { reason: 'harassment', note: 'He did it again.' }],
      ] as const
    ).entries()) {
      assert.equal((await decide(admin, caseId, action)).status, 200)
      assert.equal((await report(drivers[0]!, more, '192.0.2.1')).body.code, 'already_reported')
      assert.ok((await idsOf('closed')).includes(caseId))

      assert.equal((await report(reporter, more, `198.51.${i}.1`)).status, 201)
      assert.ok((await idsOf('open')).includes(caseId))
      assert.ok(!(await idsOf('closed')).includes(caseId))
      const { body } = await open(admin, caseId)
      assert.deepEqual([body.reason, body.reporters, body.reports.at(-1).note], ['threat', i + 2, more.note])
      assert.deepEqual([body.decision, body.decision_reason], [null, null])
    }
    const { status, body } = await decide(admin, caseId, 'limit', { days: 7, reason: 'It went on.' })
    assert.deepEqual([status, body.state, body.decision.action], [200, 'closed', 'limit'])
  })

  test('leaves a case open that somebody else has reported since it was read, and is carried out', async () => {
    const { sender, owner, drivers, path, cases } = await sharedMessage(1)
    const [driver] = drivers as [Person]
    assert.equal((await owner.post(`${path}/report`, { reason: 'spam' })).status, 201)
    const [{ id: caseId } = { id: '' }] = await cases()
    const read = (await open(admin, caseId)).body.reports.length
    assert.equal((await driver.post(`${path}/report`, { reason: 'threat' })).status, 201)

    const first = await decide(admin, caseId, 'warn', { reports_read: read, reason: 'No threats, please.' })
    assert.deepEqual([first.status, first.body.state, first.body.decision], [200, 'open', null])
    assert.ok((await idsOf('open')).includes(caseId))
    assert.equal((await mailsTo(sender)).length, 1)

    const second = await decide(admin, caseId, 'delete_message', { reports_read: read + 1 })
    assert.deepEqual([second.status, second.body.state], [200, 'closed'])
    assert.equal((await driver.get(path)).status, 404)
  })

  test('to suspend needs a fresh second factor where admins need one, and nothing else does', async () => {
    await using strict = await testApp({ sibling: app, settings: { ADMIN_SECOND_FACTOR: 'required' } })
    const person = await createAdmin(app)
    const { caseId } = await reportedMessage(app)
    const verified = await withFactor(app, person)
    await app.db`update auth.sessions set factor_verified_at = now() - interval '11 minutes' where user_id = ${person.id}`
    const stale = strict.withToken(verified.token) as Person
    const refused = await decide(stale, caseId, 'suspend')
    assert.deepEqual([refused.status, refused.body.code], [403, 'fresh_factor_required'])
    assert.equal((await open(stale, caseId)).status, 200)
    assert.equal((await decide(stale, caseId, 'warn')).status, 200)
  })
})
