import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { appealTokenOf, mailAbout, outcome, personOf, suspend } from '../test/sanctions.ts'
import { applySanction } from './apply-sanction.ts'

const app = await testApp()
const [admin, second] = [await createAdmin(app), await createAdmin(app)]

const appeal = (input: object, who: Pick<Person, 'post'> = app.visitor) => who.post('/api/appeals', input)
const decide = (who: Person, id: string, uphold: boolean, reason = 'I looked at it again.') =>
  who.post(`/api/admin/appeals/${id}/decide`, { uphold, reason })

/** Suspends somebody, and returns them with their person and the token of their email. */
async function suspended(input?: { reason: string; days?: number }) {
  const person = await app.user()
  const personId = await suspend(admin, person, input)
  const token = appealTokenOf(await mailAbout(app, person.email, /suspended/))
  return { person, personId, token }
}

test('a suspended person appeals by the emailed link without a session, and another admin lifts it', async () => {
  const { person, personId, token } = await suspended({ reason: 'You wrote this twice.' })
  const { body: seen } = await app.visitor.post('/api/appeals/sanction', { token })
  assert.deepEqual([seen.kind, seen.reason, seen.appeal], ['suspend', 'You wrote this twice.', 'open'])
  const made = await appeal({ token, text: '  It was my brother. ' })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body
  assert.equal((await app.visitor.post('/api/appeals/sanction', { token })).body.appeal, 'made')

  const { body: queue } = await second.get('/api/admin/inbox?kind=appeal')
  const [listed] = queue.items.filter((one: { id: string }) => one.id === id)
  assert.deepEqual(
    [listed.state, listed.subject_id, listed.sanction.kind, listed.own_decision],
    ['open', personId, 'suspend', false],
  )
  assert.ok(!JSON.stringify(queue).includes('brother'))
  const { body: opened } = await second.post(`/api/admin/appeals/${id}/open`)
  assert.deepEqual([opened.text, opened.reason], ['It was my brother.', 'You wrote this twice.'])
  const { body: log } = await admin.get('/api/admin/audit-log?limit=100')
  const openings = log.items.filter(({ action }: { action: string }) => action === 'appeal_opened')
  assert.equal(openings[0].actor_email, second.email)

  assert.deepEqual(await outcome(decide(admin, id, false)), [409, 'appeal_needs_another_admin'])
  assert.equal(await outcome(decide(second, id, false, 'The second message was not yours.')), 204)
  assert.deepEqual(await outcome(decide(second, id, true)), [409, 'appeal_closed'])
  const mail = await mailAbout(app, person.email, /the decision is lifted/)
  assert.match(mail.text, /A person on the PlateNote team/)
  assert.match(mail.text, /The second message was not yours\./)
  assert.equal((await (await app.signIn(person.email, PASSWORD)).get('/api/vehicles')).status, 200)
  const { body: closed } = await admin.get('/api/admin/inbox?kind=appeal&state=closed')
  assert.deepEqual(closed.items.find((one: { id: string }) => one.id === id).upheld, false)
})

test('an appeal that is not granted leaves the sanction, and says so', async () => {
  const { person, token } = await suspended()
  const { body } = await appeal({ token, text: 'No' })
  assert.equal(await outcome(decide(second, body.id, true, 'Both were yours.')), 204)
  assert.match((await mailAbout(app, person.email, /the decision stays/)).text, /Both were yours\./)
  assert.deepEqual(await outcome((await app.signIn(person.email, PASSWORD)).get('/api/vehicles')), [403, 'suspended'])
})

test('an admin decides neither the appeal of their own sanction, nor lifts it', async () => {
  const subjectId = await personOf(admin, second)
  const limit = { subjectId, kind: 'limit', reason: 'Too many', actor: admin } as const
  await app.db.begin((tx) => applySanction(tx, app.context, limit))
  const { body } = await appeal({ text: 'I disagree' }, second)
  assert.deepEqual(await outcome(decide(second, body.id, false)), [403, 'own_sanction'])
  const lift = (who: Person) => who.post(`/api/admin/people/${subjectId}/lift`, { reason: 'Enough' })
  assert.deepEqual(await outcome(lift(second)), [403, 'own_sanction'])
  assert.equal((await second.get(`/api/admin/people/${subjectId}`)).body.limited, true)
  assert.equal(await outcome(lift(admin)), 200)
})

test('there is one appeal for each sanction, whichever way, also at the same moment', async () => {
  const { person, token } = await suspended()
  const again = await app.signIn(person.email, PASSWORD)
  const responses = await Promise.all([
    appeal({ token, text: 'One' }),
    appeal({ token, text: 'Two' }),
    appeal({ text: 'Three' }, again),
  ])
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 409, 409])
  assert.deepEqual(await outcome(appeal({ token, text: 'Later' })), [409, 'already_appealed'])
})

test('after 20 days it is too late, and only the holder of the link learns that', async () => {
  const { person, personId, token } = await suspended()
  await app.db`update sanctions set appealable_until = now() where subject_id = ${personId}`
  assert.deepEqual(await outcome(appeal({ token, text: 'Late' })), [409, 'appeal_too_late'])
  assert.equal((await app.visitor.post('/api/appeals/sanction', { token })).body.appeal, 'late')
  assert.deepEqual(await outcome(appeal({ text: 'Late' }, await app.signIn(person.email, PASSWORD))), [
    409,
    'appeal_too_late',
  ])
})

test('without a link it is about the newest sanction, and a limit holds for the person until it is lifted', async () => {
  const name = `max${randomUUID().slice(0, 8)}`
  const [person, other] = [
    await app.user({ email: `${name}@example.com` }),
    await app.user({ email: `${name}+2@example.com` }),
  ]
  const subjectId = await personOf(admin, person)
  const apply = (kind: 'warn' | 'limit') =>
    app.db.begin((tx) => applySanction(tx, app.context, { subjectId, kind, reason: `A ${kind}`, actor: admin }))
  await apply('warn')
  await apply('limit')
  app.context.outbox.wake()
  assert.match((await mailAbout(app, person.email, /2 messages a day/)).text, /It has no end date/)

  await using production = await testApp({ settings: { LIMIT_SCALE: '1' }, sibling: app })
  const plates = await Promise.all([1, 2, 3, 4].map(async () => (await app.vehicle(await app.user())).plate))
  const send = (from: Person, plate: string) =>
    production.withToken(from.token).post('/api/messages', { plate, content: 'Hello' })
  assert.equal(await outcome(send(person, plates[0]!)), 201)
  assert.equal(await outcome(send(other, plates[1]!)), 201)
  const refused = await send(person, plates[2]!)
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_requests'])
  assert.match(refused.body.error, /sent many messages/)
  const waitS = Number(refused.headers.get('retry-after'))
  assert.ok(waitS > 86_000 && waitS <= 86_400, String(waitS))

  const { body } = await appeal({ text: 'Two is too few' }, person)
  assert.equal(await outcome(decide(second, body.id, false)), 204)
  assert.equal(await outcome(send(person, plates[3]!)), 201)
  const { body: page } = await admin.get(`/api/admin/people/${subjectId}`)
  assert.deepEqual(
    page.sanctions.map(({ kind, appeal: one }: { kind: string; appeal: object | null }) => [kind, one !== null]),
    [
      ['limit', true],
      ['warn', false],
    ],
  )
})
