import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FOR_DOCUMENTS, forReturn, inboundAddress } from '../email/inbound-address.ts'
import { deleteWhatIsOver } from '../hourly-cleanup.ts'
import { type Person, testApp } from '../test/app.ts'
import { extractCode } from '../test/auth-links.ts'
import { exchange, exim, gmail, OTHERS, outlook, postfix, qmail } from '../test/bounces.ts'
import { deliver, INBOUND } from '../test/documents.ts'
import { eventually } from '../test/eventually.ts'
import { findRowsWith } from '../test/find-in-clear.ts'
import { makeMailsDue } from '../test/message-mail-harness.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { join } from '../test/vehicle-people.ts'
import { inboundMails } from './receive-mail.ts'

// Emails leave through a real mail server, with the return address to which the notifications go.

const inbox = await startSmtpInbox()
after(() => inbox.close())
const app = await testApp({ settings: { ...INBOUND, SMTP_URL: inbox.url } })
const { db } = app
let admin: Person
let sender: Person
before(async () => {
  admin = await app.user()
  sender = await app.user()
  await db`update auth.users set is_admin = true where id = ${admin.id}`
})

/** Makes an owner who was sent an email about a message, and returns where that comes back to. */
async function createOwner() {
  const owner = await app.user()
  const { id, plate } = await app.vehicle(owner)
  const send = async () =>
    (await sender.post('/api/messages', { plate, content: 'Your lights are on' })).body.id as string
  const messageId = await send()
  const mail = (await inbox.to(owner.email)).at(-1)!
  await eventually(async () => (await db`select from outbox where ref_id = ${messageId} and sent_at is not null`)[0])
  return { owner, vehicleId: id, send, messageId, returnPath: mail.from }
}

const isUnreachable = async (owner: Person) => (await owner.get('/api/dashboard')).body.email_unreachable as boolean
const statusOf = async (messageId: string) =>
  (await sender.get('/api/messages?view=sent')).body.items.find(({ id }: { id: string }) => id === messageId)
    .email_status
/** Lets the longest delay pass after which a sender is told. */
const letDelayPass = (messageId: string, delay: string) =>
  db`update messages set email_failed_at = email_failed_at - ${delay}::interval where id = ${messageId}`
/** Everything that a mail could change. */
const stored = () => db`
  select (select json_agg(o order by o.id) from outbox o) as mails, (select json_agg(u) from unreachable_addresses u) as unreachable,
    (select json_agg(m order by m.id) from messages m) as messages`

for (const [name, notification] of Object.entries({ postfix, exchange, gmail, outlook, qmail, exim }))
  test(`an email that comes back by ${name} for good is shown to its sender, and its address counts as unreachable`, async () => {
    const { owner, messageId, returnPath } = await createOwner()
    assert.match(returnPath, /^documents\+[0-9a-v]{45}@in\.platenote\.test$/)
    assert.equal(await isUnreachable(owner), false)
    const { status, text } = await deliver(app, notification({ to: returnPath.toUpperCase() }))
    assert.deepEqual([status, text], [202, ''])
    assert.equal(await isUnreachable(owner), true)
    assert.notEqual(await statusOf(messageId), 'failed', 'not at once')
    await letDelayPass(messageId, '1 hour')
    assert.equal(await statusOf(messageId), 'failed')
  })

test('what is no bounce, is forged, repeated or about no email of an account changes nothing, and is counted', async () => {
  const { owner, returnPath } = await createOwner()
  const [mail] = await db<{ id: string }[]>`select id from outbox where recipient_id = ${owner.id} and kind = 'message'`
  const made = (purpose: string, id = mail!.id) => inboundAddress(app.config, app.context.keyring, purpose, id)!
  const moved = await createOwner()
  const old = await createOwner()
  const returned = await createOwner()
  await deliver(app, postfix({ to: returned.returnPath }))
  await db`update auth.users set email = 'elsewhere@mail.test' where id = ${moved.owner.id}`
  await db`update outbox set sent_at = sent_at - interval '8 days' where recipient_id = ${old.owner.id}`
  const [own] = await inbox.to(owner.email)
  const mails = [
    ...Object.values(OTHERS).map((notification) => notification({ to: returnPath })),
    own!.raw.replace(/^To: .*$/m, `To: ${returnPath}`), // a loop
    postfix({ to: 'documents@in.platenote.test' }),
    postfix({ to: returnPath.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')) }),
    postfix({ to: made(FOR_DOCUMENTS) }),
    postfix({ to: made(forReturn('somebody@mail.test')) }),
    postfix({ to: made(forReturn(owner.email), '0190b6a0-0000-7000-8000-000000000000') }),
    postfix({ to: moved.returnPath }),
    postfix({ to: old.returnPath }),
    postfix({ to: returned.returnPath }),
  ]
  const [before, ignored] = [await stored(), inboundMails.ignored]
  for (const one of mails) {
    const { status, text } = await deliver(app, one)
    assert.deepEqual([status, text], [202, ''], one.slice(0, 300))
    assert.deepEqual(await stored(), before, one.slice(0, 300))
  }
  assert.equal(inboundMails.ignored, ignored + mails.length)
  assert.equal((await deliver(app, postfix({ to: returnPath }))).status, 202)
  assert.equal(await isUnreachable(owner), true)
})

test('three emails for a full mailbox count as permanent in seven days; a refusal of what we are counts at once', async () => {
  const person = await app.user()
  const comeBack = async (count: number, notification: typeof postfix, status?: string) => {
    await app.visitor.post('/auth/v1/otp', { email: person.email, create_user: false })
    const mail = (await inbox.to(person.email, count)).at(-1)!
    await eventually(async () =>
      (await db`select from outbox where recipient_id = ${person.id} and sent_at is null`)[0] ? undefined : true,
    )
    await deliver(app, notification({ to: mail.from, ...(status && { status }), text: '552 5.2.2 mailbox is full' }))
    return isUnreachable(person)
  }
  assert.equal(await comeBack(1, gmail, '4.2.2'), false)
  await db`update outbox set sent_at = sent_at - interval '8 days' where recipient_id = ${person.id}`
  assert.equal(await comeBack(2, outlook), false)
  assert.equal(await comeBack(3, gmail, '5.2.2'), false)
  assert.equal(await comeBack(4, qmail), true)
  for (const status of ['5.7.1', '5.6.0']) {
    const { owner, returnPath } = await createOwner()
    await deliver(app, postfix({ to: returnPath, status, text: 'blocked' }))
    assert.equal(await isUnreachable(owner), true, status)
  }
})

test('a week after the last that came back emails leave again, and it ends once one has not come back for a week', async () => {
  const { owner, send, returnPath } = await createOwner()
  const cleanUp = () => deleteWhatIsOver(app.context, new AbortController().signal)
  const letWeekPass = async () => {
    await db`update unreachable_addresses set since = since - interval '8 days' where user_id = ${owner.id}`
    await db`update outbox set sent_at = sent_at - interval '8 days' where recipient_id = ${owner.id}`
    await db`update digests set next_at = now() where recipient_id = ${owner.id}`
    await cleanUp()
    return isUnreachable(owner)
  }
  const sendAndReturn = async (count: number) => {
    await send()
    const mail = (await inbox.to(owner.email, count)).at(-1)!
    await eventually(
      async () =>
        (await db`select from outbox where recipient_id = ${owner.id} and sent_at > now() - interval '1 day'`)[0],
    )
    return () => deliver(app, postfix({ to: mail.from, status: '5.7.1' }))
  }
  await deliver(app, postfix({ to: returnPath, status: '5.7.1' }))
  const { id } = await app.vehicle(owner)
  await admin.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Not readable' })
  await eventually(
    async () => (await db`select from outbox where recipient_id = ${owner.id} and failed_at is not null`)[0],
  )
  assert.equal(await letWeekPass(), true)
  await (await sendAndReturn(2))() // still blocked
  assert.equal(await letWeekPass(), true)
  await sendAndReturn(3)
  await cleanUp()
  assert.equal(await isUnreachable(owner), true, 'it may still come back')
  assert.equal(await letWeekPass(), false)
  assert.match((await inbox.to(owner.email, 4)).at(-1)!.parsed.subject ?? '', /rejected/)
})

test('of a shared email that comes back late each message fails at a time of its own; a driver’s is nothing to its sender', async () => {
  const { owner, vehicleId, send, messageId } = await createOwner()
  const driver = await app.user()
  await join(owner, vehicleId, driver)
  const shared: string[] = []
  while (shared.length < 6) shared.push(await send())
  /** Lets the newest of these messages be mailed to somebody, with what waits beside it, and returns where that comes back to. */
  const returnPathOf = (person: Person) =>
    eventually(async () => {
      await makeMailsDue(db, person.id)
      app.context.outbox.wake()
      const [row] = await db<{ id: string }[]>`
        select id from outbox where recipient_id = ${person.id} and ref_id = ${shared.at(-1)!} and sent_at is not null`
      return row && inboundAddress(app.config, app.context.keyring, forReturn(person.email), row.id)!
    })
  const failing = () => db<{ id: string; hours: number }[]>`
    select id, extract(epoch from email_failed_at - now())::float8 / 3600 as hours from messages
    where id = any(${[messageId, ...shared]}) and email_failed_at is not null order by id`
  await deliver(app, exchange({ to: await returnPathOf(driver) }))
  assert.deepEqual([await isUnreachable(driver), (await failing()).length], [true, 0])
  const returnPath = await returnPathOf(owner)
  await db`update outbox set sent_at = sent_at - interval '2 hours' where recipient_id = ${owner.id}`
  await deliver(app, exchange({ to: returnPath }))
  const rows = await failing()
  assert.deepEqual(
    rows.map(({ id }) => id),
    shared,
  )
  const hours = rows.map((row) => row.hours).toSorted((a, b) => a - b)
  // all six within the hour: hardly ever by chance
  assert.ok(hours[0]! > 0.16 && hours[5]! > 1 && hours[5]! < 24.2 && new Set(hours).size === 6, hours.join())
})

test('while emails come back only those about the account leave, until one arrives; then what waited does, but for messages', async () => {
  const canary = 'Saskatoon-berry-9xW2'
  const { owner, vehicleId, send, returnPath } = await createOwner()
  await deliver(app, `X-Note: ${canary}\r\n${postfix({ to: returnPath, text: canary })}`)
  await db`update digests set next_at = now()`
  const later = await send()
  const { status } = await admin.post(`/api/admin/vehicles/${vehicleId}/reject`, { reason: 'Not readable' })
  assert.equal(status, 204)
  await app.visitor.post('/auth/v1/recover', { email: owner.email })
  const failed = await eventually(async () => {
    const rows = await db<{ kind: string }[]>`
      select kind from outbox where recipient_id = ${owner.id} and last_error = 'unreachable' and failed_at is not null order by kind`
    return rows.length === 2 ? rows.map(({ kind }) => kind) : undefined
  })
  assert.deepEqual(failed, ['message', 'vehicle_rejected'])
  // told like a refusal of the mail server, within the same time
  const [delay] = await db`
    select extract(epoch from email_failed_at - now())::float8 / 60 as minutes from messages where id = ${later}`
  assert.ok(delay!['minutes'] > 9 && delay!['minutes'] < 60, String(delay!['minutes']))
  const subjects = async (count: number) =>
    (await inbox.to(owner.email, count)).map(({ parsed }) => parsed.subject ?? '')
  assert.match((await subjects(2))[1]!, /password/)

  const health = (await admin.get('/api/admin/health')).body
  assert.equal(health.mails.unreachable[0].reason, 'gone')
  assert.ok(health.warnings.some(({ code }: { code: string }) => code === 'mails_returned'))
  assert.doesNotMatch(JSON.stringify(health), new RegExp(owner.email))
  const failedMails = (await admin.get('/api/admin/failed-mails')).body.items
  assert.deepEqual(failedMails, [], 'nothing that an admin could do')
  assert.deepEqual(await findRowsWith(db, [canary]), [])

  await app.visitor.post('/auth/v1/otp', { email: owner.email, create_user: false })
  const code = extractCode({ subject: (await subjects(3))[2]! })
  assert.equal(
    (await app.visitor.post('/auth/v1/verify', { type: 'email', email: owner.email, token: code })).status,
    200,
  )
  assert.equal(await isUnreachable(owner), false)
  assert.match((await subjects(4))[3]!, /rejected/)
  await letDelayPass(later, '1 hour')
  assert.equal(await statusOf(later), 'failed')
})

test('another address, confirmed, ends it too', async () => {
  const { owner, returnPath } = await createOwner()
  await deliver(app, postfix({ to: returnPath }))
  assert.equal(await isUnreachable(owner), true)
  const email = `new-${owner.email}`
  assert.equal((await owner.post('/api/email-change', { email })).status, 200)
  for (const address of [owner.email, email]) {
    const mail = await eventually(async () =>
      inbox.received.find(({ to, parsed }) => to === address && parsed.text?.includes('do=confirm')),
    )
    const [, token] = /do=confirm&token=([\w-]+)/.exec(mail.parsed.text ?? '') ?? []
    assert.equal((await app.visitor.post('/api/account-links', { action: 'confirm', token })).status, 200)
  }
  assert.equal(await isUnreachable(await app.signIn(email, owner.password)), false)
})
