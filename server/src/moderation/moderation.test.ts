import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { revokeAdmin } from '../auth/admin-role.ts'
import { type Person, SERVICE_ROLE_KEY, testApp } from '../test/app.ts'
import { reportedMessage } from '../test/cases.ts'
import { createAdmin } from '../test/disputes.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { withFactor } from '../test/factors.ts'
import { mailAbout } from '../test/sanctions.ts'
import { uploadImage } from '../test/upload.ts'

// The moderators' desk (decision 0087).

const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1', SERVICE_ROLE_KEY, SERVICE_KEY: 's'.repeat(40) } })
after(() => app.close())
const admin = await createAdmin(app)

const at = (id: string, call: string) => `/api/admin/reports/${id}/${call}`
const open = (who: Person, id: string, purpose = 'A new report') => who.post(at(id, 'open'), { purpose })
const decide = (who: Person, id: string, action: string, more: object = {}) =>
  who.post(at(id, 'decide'), { action, reason: 'We read it.', ...more })
const auditOf = async (id: string) =>
  (await admin.get('/api/admin/audit-log?limit=100')).body.items.filter(
    ({ subject_id }: { subject_id: string }) => subject_id === id,
  )
const idsOf = async (state: string, limit = 100) => {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await admin.get(`/api/admin/reports?state=${state}&limit=${limit}${cursor}`)
    ids.push(...body.items.map(({ id }: { id: string }) => id))
    if (!body.next) return ids
    cursor = `&cursor=${body.next}`
  }
}
const mailsTo = (who: Person) => app.db`select kind from outbox where recipient_id = ${who.id} and kind = 'sanction'`

describe('the queue', () => {
  test('shows open cases without anything that somebody wrote', async () => {
    const { caseId, subjectId, sender, owner } = await reportedMessage(app, {
      content: 'canary content',
      note: 'canary note',
    })
    const { status, text, body } = await admin.get('/api/admin/reports?limit=100')
    assert.equal(status, 200)
    for (const secret of ['canary', sender.id, sender.email, owner.id, owner.email])
      assert.ok(!text.includes(secret), secret)
    const item = body.items.find(({ id }: { id: string }) => id === caseId)
    assert.deepEqual(
      { ...item, created_at: null },
      {
        id: caseId,
        side: 'message',
        reason: 'threat',
        created_at: null,
        reporters: 1,
        is_raised: false,
        state: 'open',
        subject_id: subjectId,
        decision: null,
      },
    )
  })

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
    const { body } = await admin.get('/api/admin/reports?limit=100')
    type Item = { id: string; reporters: number; is_raised: boolean; state: string }
    const raised = body.items.filter(({ is_raised }: Item) => is_raised)
    assert.deepEqual(
      raised.map(({ reporters, state }: Item) => [reporters, state]),
      [
        [3, 'open'],
        [3, 'open'],
        [3, 'open'],
      ],
    )
    assert.deepEqual(body.items.slice(0, 3), raised)
    const others = body.items.slice(3).map(({ id }: Item) => id)
    assert.deepEqual(others, others.toSorted(), 'the others are the oldest first')
    assert.deepEqual(await idsOf('open', 2), await idsOf('open'))
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
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const { body: image } = await uploadImage(sender, pixel)
    const { plate } = await app.vehicle(owner)
    const input = { plate, content: 'canary content', reason: 'other', attachment_id: image.id }
    const { body: message } = await sender.post('/api/messages', input)
    const report = { reason: 'harassment', note: 'canary note' }
    await owner.post(`/api/messages/${message.id}/report`, report)
    const [row] = await app.db<{ id: string }[]>`select id from report_cases where message_id = ${message.id}`
    const id = row!.id

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

  test('stands on the page of the person it is about, with who and what for', async () => {
    const { caseId, subjectId } = await reportedMessage(app)
    await open(admin, caseId, 'She called us')
    const { openings } = (await admin.get(`/api/admin/people/${subjectId}`)).body
    assert.deepEqual(
      openings.map(({ action, actor_email, purpose }: Record<string, string>) => [action, actor_email, purpose]),
      [['report_opened', admin.email, 'She called us']],
    )
  })

  test('works after both accounts, the vehicle and the message are gone', async () => {
    const { caseId, sender, owner } = await reportedMessage(app, { content: 'outlives everybody' })
    for (const person of [sender, owner]) {
      assert.equal((await person.post('/functions/v1/delete-user', { id: person.id })).status, 200)
    }
    const { body } = await open(admin, caseId)
    assert.equal(body.evidence.content, 'outlives everybody')
    assert.equal((await decide(admin, caseId, 'suspend')).status, 200)
  })

  test('shows what was decided about the same person before', async () => {
    const first = await reportedMessage(app)
    assert.equal((await decide(admin, first.caseId, 'warn', { reason: 'Please be kind.' })).status, 200)
    const second = await reportedMessage(app, { sender: first.sender })
    const { body } = await open(admin, second.caseId)
    assert.deepEqual(
      body.other_cases.map((one: { id: string; decision: { action: string } }) => [one.id, one.decision.action]),
      [[first.caseId, 'warn']],
    )
    assert.deepEqual(
      body.sanctions.map((one: { kind: string; reason: string }) => [one.kind, one.reason]),
      [['warn', 'Please be kind.']],
    )
  })

  test('shows a damaged case as far as it can be read, so that it can be decided', async () => {
    const { caseId } = await reportedMessage(app)
    await app.db`update report_cases set evidence_box = '\\x00' where id = ${caseId}`
    const { status, body } = await open(admin, caseId)
    assert.deepEqual([status, body.evidence, body.reports], [200, null, []])
    assert.equal((await decide(admin, caseId, 'dismiss')).status, 200)
  })

  test('is refused to whoever it is about, to former admins and to other software', async () => {
    const { caseId } = await reportedMessage(app, { sender: admin })
    const former = await createAdmin(app)
    await revokeAdmin(app.db, former.email)
    const software = [SERVICE_ROLE_KEY, 's'.repeat(40)].map((key) => app.withToken(key) as Person)
    for (const [who, status, code] of [
      [admin, 403, 'own_case'],
      [former, 403, 'forbidden'],
      [await app.user(), 403, 'forbidden'],
      ...software.map((one) => [one, 401, 'signed_out'] as const),
    ] as const) {
      for (const answer of [await open(who, caseId), await decide(who, caseId, 'dismiss')]) {
        assert.deepEqual([answer.status, answer.body.code], [status, code])
      }
    }
    assert.deepEqual(await auditOf(caseId), [])
    assert.ok((await idsOf('open')).includes(caseId))
  })
})

describe('a decision', () => {
  test('to dismiss closes the case and tells nobody', async () => {
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

  test('to warn tells the person that a person decided, and why', async () => {
    const { caseId, sender } = await reportedMessage(app)
    assert.equal((await decide(admin, caseId, 'warn', { reason: 'No threats, please.' })).status, 200)
    const mail = await eventually(async () =>
      (await app.mails(sender.email)).find(({ text }) => text.includes('No threats, please.')),
    )
    assert.match(mail.text, /person/i)
    assert.match(mail.text, /\/appeal#token=/)
    assert.ok(!mail.text.includes(admin.email))
    assert.equal((await sender.get('/api/messages?view=sent')).status, 200)
  })

  test('to suspend ends the person’s sessions; a limit is stored with the case it comes from, and its end', async () => {
    const suspended = await reportedMessage(app)
    assert.equal((await decide(admin, suspended.caseId, 'suspend', { days: 7 })).status, 200)
    assert.ok((await suspended.sender.get('/api/messages?view=sent')).status >= 401)
    const limited = await reportedMessage(app)
    assert.equal((await decide(admin, limited.caseId, 'limit', { days: 7 })).status, 200)
    const [sanction] = await app.db`
      select kind, case_id, ends_at - created_at as length from sanctions where subject_id = ${limited.subjectId}`
    assert.deepEqual([sanction!['kind'], sanction!['case_id']], ['limit', limited.caseId])
    assert.match(JSON.stringify(sanction!['length']), /7|168/)
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
    const [row] = await app.db<{ id: string; side: string }[]>`
      select id, side from report_cases where message_id = ${message.id}`
    assert.equal(row!.side, 'reply')
    assert.equal((await decide(admin, row!.id, 'delete_message')).status, 200)
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
    const other = await testApp({ sibling: app })
    t.after(() => other.close())
    const [sender, owner, driver] = [await app.user(), await app.user(), await app.user()]
    const { id: vehicleId, plate } = await app.vehicle(owner)
    const { body: invitation } = await owner.post(`/api/vehicles/${vehicleId}/invitations`, {})
    assert.equal((await driver.post('/api/invitations/accept', { code: invitation.code })).status, 200)
    const { body: message } = await sender.post('/api/messages', { plate, content: 'Your lights are on' })
    const path = `/api/messages/${message.id}`
    await eventually(async () => ((await driver.get(path)).status === 200 ? true : undefined))
    await driver.post(`${path}/reply`, { reply: 'I know where you park' })
    await sender.post(`${path}/report`, { reason: 'harassment' })
    await owner.post(`${path}/report`, { reason: 'other' })
    const cases = await app.db<{ id: string }[]>`
      select id from report_cases where message_id = ${message.id} order by side desc`
    for (const [i, { id }] of cases.entries()) {
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

  test('is told in the language of the person, with who decided, why, how long, and how to appeal', async () => {
    const TEXTS = {
      en: {
        subjects: { warn: /warning/, limit: /2 messages/, delete_message: /removed/, suspend: /suspended/ },
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
    const answers = await Promise.all([decide(admin, caseId, 'warn'), decide(other, caseId, 'limit')])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
    assert.equal(answers.find(({ status }) => status === 409)!.body.code, 'case_closed')
    assert.deepEqual(
      [(await decide(admin, caseId, 'dismiss')).body.code, (await mailsTo(sender)).length],
      ['case_closed', 1],
    )
    assert.equal((await app.db`select from sanctions where subject_id = ${subjectId}`).length, 1)
    const decided = (await auditOf(caseId)).filter(({ action }: { action: string }) => action === 'report_decided')
    assert.equal(decided.length, 1)
  })

  test('needs an action and a reason, and a case that exists', async () => {
    const { caseId } = await reportedMessage(app)
    for (const [field, changes] of [
      ['action', { action: 'delete_account' }],
      ['reason', { reason: ' \u200b' }],
      ['days', { days: 0 }],
      ['days', { days: 1.5 }],
    ] as const) {
      const { status, body } = await admin.post(at(caseId, 'decide'), { action: 'warn', reason: 'Why', ...changes })
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]])
    }
    const missing = await decide(admin, randomUUID(), 'warn')
    assert.deepEqual([missing.status, missing.body.code], [404, 'not_found'])
  })

  test('to suspend needs a fresh second factor where admins need one; everything else a verified session', async () => {
    const strict = await testApp({ sibling: app, settings: { ADMIN_SECOND_FACTOR: 'required' } })
    try {
      const person = await createAdmin(app)
      const { caseId } = await reportedMessage(app)
      const without = strict.withToken(person.token) as Person
      for (const answer of [
        await without.get('/api/admin/reports'),
        await open(without, caseId),
        await decide(without, caseId, 'warn'),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [403, 'second_factor_required'])
      }
      const verified = await withFactor(app, person)
      await app.db`update auth.sessions set factor_verified_at = now() - interval '11 minutes' where user_id = ${person.id}`
      const stale = strict.withToken(verified.token) as Person
      const refused = await decide(stale, caseId, 'suspend')
      assert.deepEqual([refused.status, refused.body.code], [403, 'fresh_factor_required'])
      assert.equal((await open(stale, caseId)).status, 200)
      assert.equal((await decide(stale, caseId, 'warn')).status, 200)
    } finally {
      await strict.close()
    }
  })
})
