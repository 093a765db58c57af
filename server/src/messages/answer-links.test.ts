import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { accepted, deleteAccount, PASSWORD, type Person } from '../test/app.ts'
import { deleteReported } from '../test/cases.ts'
import { onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { requestChange } from '../test/email-change.ts'
import { eventually } from '../test/eventually.ts'
import { startInbox } from '../test/inbox.ts'
import { rememberState } from '../test/matrix/database-state.ts'
import { endDigestPause, untilPutOff } from '../test/message-mail-harness.ts'
import { sendMessage } from '../test/messages.ts'
import { postForm } from '../test/post-form.ts'
import { personOf } from '../test/sanctions.ts'
import { PIXEL, uploadImage } from '../test/upload.ts'
import { join, myId, shared } from '../test/vehicle-people.ts'

// The links in emails that answer a message without a session (decision answer-links). Without the web app a page is its slots.

const { app, admin } = await startInbox()
after(() => app.close())

const LINK = /http:\/\/platenote\.test(?:\/fr)?\/answer#(?:answer=(\w+)&)?token=([\w-]{43})/g
const tokensIn = (text: string) => [...text.matchAll(LINK)].map(([, answer, token]) => [answer, token!] as const)
const visit = (fields: Record<string, string>, path = '/answer') => postForm(app.url + path, fields)
const show = async (token: string, more = {}) => {
  const { status, text } = await visit({ token, ...more })
  return { status, page: JSON.parse(text) as Record<string, string> }
}
const send = (token: string, answer = 'coming', reply = '') => visit({ token, answer, reply, action: 'send' })
/** Returns the answer to a link that is none. */
const wrong = () => visit({ token: 'x'.repeat(43) })

/** Sends a message to a new vehicle, and returns the link in the email to its owner. */
async function mailed(content = 'You’re behind me', more: object = { reason: 'blocked_in' }) {
  const [owner, sender] = [await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner)
  const id = await sendMessage(sender, vehicle.plate, content, more)
  const mail = await mailTo(owner)
  return { owner, sender, vehicle, id, mail, token: tokensIn(mail.text)[0]![1] }
}
const mailTo = async (person: Person) =>
  eventually(async () => (await app.mails(person.email, 0)).find(({ text }) => tokensIn(text).length > 0))
const sentBy = async (sender: Person, id: string) => (await sender.get(`/api/messages/${id}`)).body

describe('the link of an email', () => {
  test('offers the answers that fit the reason, and shows what the email says, with the photo', async () => {
    const { mail, token, vehicle, owner } = await mailed()
    assert.deepEqual(
      tokensIn(mail.text),
      ['coming', 'in_5', 'not_my_car', undefined].map((answer) => [answer, token]),
    )
    assert.match(
      mail.text,
      /I’m coming now:\n.*\n\nIn 5 min:\n.*\n\nNot this vehicle:\n.*\n\nRead and reply:\n.*\n\nThese buttons/,
    )
    const { status, page } = await show(token, { answer: 'in_5' })
    assert.deepEqual(
      [status, page],
      [
        200,
        {
          ...{ TOKEN: token, SESSION: '', ANSWER: 'in_5', REPLY: '', ACTION: '', OPEN: 'yes', APP_PAGE: '' },
          ...{ PLATE: vehicle.plate, REASON: 'Your vehicle is blocking someone in', TEXT: 'You’re behind me' },
          CONTENT: 'You’re behind me',
          ...{ URGENT: '', IMAGE: '', NOTES: '', TIMELY: 'yes', WRITE: '' },
        },
      ],
    )
    const favour = await mailed('Your lights are on', { reason: 'lights_on' })
    assert.deepEqual(
      tokensIn(favour.mail.text).map(([answer]) => answer),
      ['coming', 'thanks', 'not_my_car', undefined],
    )
    // whoever comes too late is not offered to come; what was tapped is there all the same
    await app.db`update messages set inserted_at = inserted_at - interval '2 hours' where id = ${favour.id}`
    assert.deepEqual((await show(favour.token)).page['TIMELY'], '')
    assert.deepEqual((await show(favour.token, { answer: 'coming' })).page['TIMELY'], 'yes')
    assert.ok(!mail.text.includes(owner.id))
  })

  test('shows the photo, to a driver by a link of their own, and none of it where emails have no text', async () => {
    const { owner, driver, plate } = await shared(app)
    const sender = await app.user()
    await driver.patch('/api/preferences', { email_message_text: false })
    const { id: attachment_id } = (await uploadImage(sender, PIXEL)).body
    const id = await sendMessage(sender, plate, 'a private word', { attachment_id })
    const [forOwner, forDriver] = [await mailTo(owner), await mailTo(driver)]
    const [one, two] = [forOwner, forDriver].map(({ text }) => tokensIn(text)[0]![1]) as [string, string]
    assert.match(forOwner.text, /includes a photo\. The buttons below show it/)
    const { page } = await show(one)
    assert.equal(page['IMAGE'], (await owner.get(`/api/messages/${id}`)).body.image_url)
    assert.equal((await app.visitor.get(page['IMAGE']!)).status, 200)
    assert.deepEqual([page['TEXT'], page['NOTES']], ['a private word', ''])
    const { page: hidden } = await show(two)
    assert.deepEqual(
      [hidden['TEXT'], hidden['IMAGE'], hidden['NOTES']],
      ['', '', 'The message includes a photo. Log in to see it.'],
    )
    // also once the person wants texts again: the email has none
    await driver.patch('/api/preferences', { email_message_text: true })
    assert.equal((await show(two)).page['TEXT'], '')
  })

  test('changes nothing and tells nobody when programs open every link of the email, and answers with one more tap', async () => {
    const { owner, sender, id, mail, token } = await mailed()
    const seen = await sentBy(sender, id)
    await untilPutOff(app.db)
    const state = await rememberState(app.db)
    for (const [answer, one] of tokensIn(mail.text)) {
      assert.equal((await app.visitor.get('/answer')).status, 404) // without the web app there is no page
      for (const path of ['/answer', '/fr/answer'])
        assert.equal((await visit({ token: one, ...(answer && { answer }) }, path)).status, 200)
    }
    assert.deepEqual(await state.changed(), [])
    assert.deepEqual(await sentBy(sender, id), seen)
    assert.equal((await owner.get(`/api/messages/${id}`)).body.is_read, false)

    const { text, status } = await send(token, 'in_5')
    assert.deepEqual([status, JSON.parse(text)], [200, { SENT: 'yes', ANSWER: 'In 5 min', REPLY: '' }])
    const { answer, reply } = await sentBy(sender, id)
    assert.deepEqual([answer, reply], ['in_5', ''])
    const received = (await owner.get(`/api/messages/${id}`)).body
    assert.deepEqual([received.is_read, received.replied_by], [true, 'me'])
    assert.equal((await owner.get('/api/notifications/unread-count')).body.count, 0)
  })

  test('answers in own words; what is missing or too long is asked for again, with what was typed', async () => {
    const { sender, id, token } = await mailed()
    const empty = await send(token, '')
    assert.equal(empty.status, 400)
    assert.equal(JSON.parse(empty.text).REPLY_ERROR, 'Please write a reply.')
    const long = await send(token, 'coming', 'x'.repeat(2_001))
    assert.deepEqual(
      [long.status, JSON.parse(long.text).REPLY.length, JSON.parse(long.text).WRITE],
      [400, 2_001, 'yes'],
    )
    assert.equal((await sentBy(sender, id)).reply, null)
    assert.equal((await send(token, '', 'Two minutes')).status, 200)
    assert.deepEqual([(await sentBy(sender, id)).reply, (await sentBy(sender, id)).answer], ['Two minutes', null])
  })

  test('answers once when two are sent at one moment, and the sender sees the same whoever of the vehicle it was', async () => {
    const { owner, driver, plate } = await shared(app)
    const sender = await app.user()
    const id = await sendMessage(sender, plate)
    const tokens = [await mailTo(owner), await mailTo(driver)].map(({ text }) => tokensIn(text)[0]![1])
    const [one, other] = tokens as [string, string]
    const answers = await Promise.all([send(one), send(one), send(other), send(other)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
    const { text } = await wrong()
    for (const answer of answers.filter(({ status }) => status === 404)) assert.equal(answer.text, text)
    assert.deepEqual([(await sentBy(sender, id)).answer, (await sentBy(sender, id)).reply], ['coming', ''])
    const notifications = (await sender.get('/api/notifications')).body.items
    assert.equal(notifications.filter(({ type }: { type: string }) => type === 'message_replied').length, 1)
  })

  test('says where the message is in the app to a session of its person alone', async () => {
    const { owner, sender, id, token } = await mailed()
    const sessionOf = ({ token }: Person): string =>
      JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).session_id
    const pageFor = async (session: string, answer = '') => (await show(token, { session, answer })).page['APP_PAGE']
    const session = sessionOf(owner)
    assert.equal(await pageFor(session, 'coming'), `/dashboard/messages?view=received&answer=coming#${id}`)
    assert.equal(await pageFor(session), `/dashboard/messages?view=received#${id}`)
    assert.equal(await pageFor(sessionOf(sender)), '')
    assert.equal(await pageFor('not a session'), '')
    const second = await app.signIn(owner.email, owner.password)
    const ended = sessionOf(second)
    await second.post('/auth/v1/logout?scope=local')
    assert.equal(await pageFor(ended), '')
    assert.equal((await show(token)).status, 200) // one sign-out of several leaves it
  })

  test('is another one for each message of several', async () => {
    const { owner, sender, vehicle } = await mailed()
    const second = await sendMessage(sender, vehicle.plate, 'the second')
    const third = await sendMessage(sender, vehicle.plate, 'the third')
    await untilPutOff(app.db, owner.id)
    await endDigestPause(app.db, owner.id)
    app.context.outbox.wake()
    const digest = await eventually(async () =>
      (await app.mails(owner.email)).find(({ subject }) => subject.startsWith('2 new messages')),
    )
    assert.match(
      digest.text,
      /> the third\nRead and reply:\n.*\n\nMessage\n> the second\nRead and reply:\n.*\n\nThese buttons/,
    )
    const tokens = tokensIn(digest.text).map(([, one]) => one)
    const texts = await Promise.all(tokens.map(async (one) => (await show(one)).page['TEXT']))
    assert.deepEqual(texts, ['the third', 'the second'])
    await send(tokens[0]!)
    assert.deepEqual([(await sentBy(sender, third)).answer, (await sentBy(sender, second)).answer], ['coming', null])
    assert.equal((await show(tokens[1]!)).status, 200)
  })

  test('is in no email to whoever does not want it, nor is any made before', async () => {
    const { owner, sender, vehicle, token } = await mailed()
    await owner.patch('/api/preferences', { email_answers: false })
    assert.equal((await show(token)).status, 404)
    await app.db`delete from digests where recipient_id = ${owner.id}`
    const id = await sendMessage(sender, vehicle.plate, 'the second')
    const mail = await eventually(async () =>
      (await app.mails(owner.email)).find(({ text }) => text.includes('> the second')),
    )
    assert.doesNotMatch(mail.text, /\/answer|These buttons|coming now/)
    assert.ok(mail.text.includes(`Read and reply:\nhttp://platenote.test/dashboard/messages?view=received#${id}\n`))
    const [{ count }] = (await app.db`select count(*)::int from answer_links where message_id = ${id}`) as [
      { count: number },
    ]
    assert.equal(count, 0)
  })
})

test('a link is no session, opens nothing but its message, and is not in the database', async () => {
  const { token, id } = await mailed()
  const other = await mailed()
  const who = app.withToken(token)
  for (const path of ['/api/messages', `/api/messages/${id}`, `/api/messages/${other.id}`, '/api/vehicles'])
    assert.equal((await who.get(path)).status, 401, path)
  for (const path of ['block', 'report', 'reply'])
    assert.equal((await who.post(`/api/messages/${id}/${path}`, { reply: 'x' })).status, 401, path)
  assert.equal((await visit({ token, id: other.id, message_id: other.id })).text.includes(other.vehicle.plate), false)
  const [row] = await app.db<{ rows: string }[]>`select string_agg(answer_links::text, ' ') as rows from answer_links`
  assert.ok(row!.rows.length > 0 && !row!.rows.includes(token))
})

type Mailed = Awaited<ReturnType<typeof mailed>>
const NEW_PASSWORD = 'Other-horse-8'
const decide = (id: string, call: string) =>
  accepted(admin.post(`/api/admin/vehicles/${id}/${call}`, { reason: 'No.' }))
type Step = (link: Mailed, buyersId: string) => Promise<unknown>
/** Gives the plate to somebody else, who registers it between the two steps. */
const handOver = (before: Step | null, after?: Step) => async (link: Mailed) => {
  const buyer = await app.user()
  await before?.(link, '')
  const { vehicle } = await accepted(registerPlate(buyer, link.vehicle.plate))
  await after?.(link, vehicle.id)
  assert.match((await onlyVehicleOf(buyer)).status, /^(active|verified)$/)
}
const sell: Step = ({ owner, vehicle }) => accepted(owner.delete(`/api/vehicles/${vehicle.id}`))
const reject: Step = ({ vehicle }) => decide(vehicle.id, 'reject')

/** What ends a link. */
const ENDS: Record<string, (link: Mailed) => Promise<unknown>> = {
  'an answer in the app': ({ owner, id }) => owner.post(`/api/messages/${id}/reply`, { reply: '', answer: 'thanks' }),
  'an answer that moderators removed': async ({ owner, sender, id }) => {
    await owner.post(`/api/messages/${id}/reply`, { reply: 'Too bad' })
    await sender.post(`/api/messages/${id}/report`, { reason: 'threat' })
    await deleteReported(app, admin, id)
  },
  '24 hours': ({ id }) =>
    app.db`update answer_links set created_at = created_at - interval '24 hours' where message_id = ${id}`,
  'another password': ({ owner }) => owner.put('/auth/v1/user', { password: NEW_PASSWORD, current_password: PASSWORD }),
  'another address': async ({ owner }) => {
    const { current, fresh } = await requestChange(app, owner)
    for (const token of [current.confirm, fresh.confirm])
      assert.equal((await app.visitor.post('/api/account-links', { action: 'confirm', token })).status, 200)
  },
  'a sign-out everywhere': ({ owner }) => owner.post('/auth/v1/logout?scope=global'),
  'a sign-out of all others': ({ owner }) => owner.post('/auth/v1/logout?scope=others'),
  'a suspension, also once it is lifted': async ({ owner, token }) => {
    const id = await personOf(admin, owner)
    assert.equal((await admin.post(`/api/admin/people/${id}/suspend`, { reason: 'A threat.' })).status, 200)
    assert.equal((await show(token)).status, 404)
    assert.equal((await admin.post(`/api/admin/people/${id}/lift`, { reason: 'A mistake.' })).status, 200)
  },
  'the end of the account': ({ owner }) => deleteAccount(owner),
  'a plate that is in dispute': async ({ vehicle }) => registerPlate(await app.user(), vehicle.plate),
  'the end of the vehicle, whose buyer registers it': handOver(sell),
  'the end of the vehicle amid a dispute': handOver(null, sell),
  'a rejection, after which somebody else has the plate': handOver(reject),
  'a rejection amid a dispute': handOver(null, reject),
  'a deletion by an admin': handOver(null, ({ vehicle }) =>
    accepted(admin.delete(`/api/admin/vehicles/${vehicle.id}`)),
  ),
  'the approval of who disputed the plate of a verified owner': handOver(
    ({ vehicle }) => decide(vehicle.id, 'approve'),
    async ({ token }, buyersId) => {
      assert.equal((await show(token)).status, 200) // which paused nothing
      await decide(buyersId, 'approve')
    },
  ),
  'a message that moderators removed': async ({ owner, id }) => {
    await owner.post(`/api/messages/${id}/report`, { reason: 'threat' })
    await deleteReported(app, admin, id)
  },
}

for (const [what, end] of Object.entries(ENDS))
  test(`a link ends with ${what}, and is then answered as a wrong one is`, async () => {
    const link = await mailed()
    assert.equal((await show(link.token)).status, 200)
    await end(link)
    const expected = await wrong()
    for (const after of [
      await visit({ token: link.token }),
      await visit({ token: link.token, answer: 'in_15', action: 'send' }),
    ])
      assert.deepEqual([after.status, after.text], [404, expected.text])
    const replies = await app.db`select from messages where id = ${link.id} and reply_answer = 'in_15'`
    assert.equal(replies.length, 0)
  })

test('a driver’s link ends when they leave, are removed or the plate is lost, and others’ stay', async () => {
  const owner = await app.user()
  const { id: vehicleId, plate } = await app.vehicle(owner)
  const [leaver, removed, stayer] = [await app.user(), await app.user(), await app.user()]
  for (const driver of [leaver, removed, stayer]) await join(owner, vehicleId, driver)
  await sendMessage(await app.user(), plate)
  const tokens = await Promise.all(
    [leaver, removed, stayer].map(async (one) => tokensIn((await mailTo(one)).text)[0]![1]),
  )
  const removedId = await myId(removed, vehicleId)
  await leaver.delete(`/api/vehicles/${vehicleId}/people/${await myId(leaver, vehicleId)}`)
  await owner.delete(`/api/vehicles/${vehicleId}/people/${removedId}`)
  assert.deepEqual(await Promise.all(tokens.map(async (token) => (await show(token)).status)), [404, 404, 200])
  await decide(vehicleId, 'reject')
  assert.equal((await show(tokens[2]!)).status, 404)
})
