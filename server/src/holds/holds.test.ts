import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { cleanUpAttachments } from '../attachments/cleanup.ts'
import { cleanUpDocuments } from '../documents/cleanup.ts'
import { HOURLY_CLEANUPS } from '../hourly-cleanups.ts'
import type { Person } from '../test/app.ts'
import { startDispute } from '../test/documents.ts'
import { requestChange } from '../test/email-change.ts'
import { dayFromNow, type HeldRow, startHolds } from '../test/holds.ts'
import { pdfWith } from '../test/pdf-bytes.ts'
import { downloadImage, storedFileName, uploadDocument, uploadImage } from '../test/upload.ts'
import { keepRecords } from './keep-records.ts'

// Legal holds (decision 0117): each way in which something is deleted, and what is left of it where.

const holds = await startHolds()
after(holds.close)
const { app, db, context, admin, holdAccount, holdPlate, exported } = holds

async function runCleanups() {
  for (const cleanUp of Object.values(HOURLY_CLEANUPS)) await cleanUp(db, context.keyring)
  await cleanUpDocuments(context)
  await cleanUpAttachments(context, 1)
  await keepRecords(context)
}

const goneFrom = (rows: HeldRow[], table: string) => rows.filter((row) => row.table === table && row.why !== 'live')

/** Sends a message with a photo to somebody's vehicle. */
async function sendPhoto(sender: Person, plate: string, content: string) {
  const picture = await sharp({ create: { width: 50, height: 40, channels: 3, background: '#123' } })
    .png()
    .toBuffer()
  const { body: image } = await uploadImage(sender, picture, { name: 'p.png', type: 'image/png' })
  const file = await storedFileName(app, image)
  const { status, body, text } = await sender.post('/api/messages', { plate, content, attachment_id: image.id })
  assert.equal(status, 201, text)
  return { id: body.id as string, imageId: image.id as string, url: image.url as string, file }
}
const hasFile = async (name: string) => (await context.files.get(name)) !== null

test('an account that its person deletes is gone for everybody at once, and kept with vehicles, messages and photos', async () => {
  const [person, sender] = [await app.user({ full_name: 'Maxime Gagnon' }), await app.user()]
  const { plate } = await app.vehicle(person)
  const { plate: otherPlate } = await app.vehicle(sender)
  const photo = await sendPhoto(sender, plate, 'I saw what you did')
  const written = await person.post('/api/messages', { plate: otherPlate, content: 'You will be sorry' })
  const id = await holdAccount(person)

  assert.equal((await person.post('/functions/v1/delete-user', { id: person.id })).status, 200)
  await runCleanups()

  assert.equal((await db`select from auth.users where id = ${person.id}`).length, 0)
  assert.equal((await person.get('/api/vehicles')).status, 401)
  assert.equal((await sender.post('/api/messages', { plate, content: 'hello' })).body.code, 'plate_not_registered')
  const { rows, files, text } = await exported(id)
  const [account] = goneFrom(rows, 'auth.users').filter(({ row }) => row['id'] === person.id)
  assert.equal(account?.row['email'], person.email)
  assert.match(text, /Maxime Gagnon/)
  assert.ok(goneFrom(rows, 'auth.sessions').length > 0 && goneFrom(rows, 'auth.events').length > 0)
  assert.deepEqual(
    goneFrom(rows, 'vehicles').map(({ row }) => row['plate']),
    [plate],
  )
  const received = goneFrom(rows, 'messages').find(({ row }) => row['id'] === photo.id)
  assert.deepEqual([received?.row['content'], received?.row['sender_id']], ['I saw what you did', sender.id])
  const sent = goneFrom(rows, 'messages').find(({ row }) => row['id'] === written.body.id)
  assert.deepEqual([sent?.row['content'], sent?.row['sender_id']], ['You will be sorry', person.id])
  // who wrote to them, as they were then
  assert.ok(rows.some(({ table, row }) => table === 'auth.users' && row['email'] === sender.email))
  assert.ok(rows.some(({ table, row, file }) => table === 'attachments' && row['id'] === photo.imageId && file))
  assert.equal(files[`${photo.imageId}.webp`]?.toString('latin1', 8, 12), 'WEBP')
  assert.doesNotMatch(text, /encrypted_password|data_key/)
})

test('a vehicle that its owner deletes is kept with its messages and photos; the photo’s address is dead', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner)
  const photo = await sendPhoto(sender, vehicle.plate, 'Your lights are on')
  const id = await holdPlate(vehicle.plate)
  assert.equal((await owner.delete(`/api/vehicles/${vehicle.id}`)).status, 204)
  // the sender still has the message, until that account goes too
  assert.equal((await sender.post('/functions/v1/delete-user', { id: sender.id })).status, 200)
  await runCleanups()

  assert.equal((await db`select from messages where id = ${photo.id}`).length, 0)
  assert.equal((await downloadImage(new URL(photo.url, app.url).href)).status, 404)
  const { rows, files } = await exported(id)
  assert.ok(goneFrom(rows, 'vehicles').some(({ row }) => row['id'] === vehicle.id))
  assert.ok(goneFrom(rows, 'messages').some(({ row }) => row['content'] === 'Your lights are on'))
  assert.ok(rows.some(({ table, why, row }) => table === 'auth.users' && why === 'author' && row['id'] === sender.id))
  assert.ok(files[`${photo.imageId}.webp`])
})

test('a message and a reply that moderators remove are kept, and nobody reads them in the app', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  const one = await sendPhoto(sender, plate, 'I know where you live')
  const two = await sender.post('/api/messages', { plate, content: 'Please move' })
  const reply = await owner.post(`/api/messages/${two.body.id}/reply`, { reply: 'Come and make me' })
  assert.equal(reply.status, 200, reply.text)
  const id = await holdAccount(owner)
  for (const [who, messageId] of [
    [owner, one.id],
    [sender, two.body.id],
  ] as const) {
    const report = await who.post(`/api/messages/${messageId}/report`, { reason: 'threat' })
    assert.equal(report.status, 201, report.text)
    const [row] = await db<{ id: string }[]>`select id from report_cases where message_id = ${messageId}`
    await admin.post(`/api/admin/reports/${row!.id}/open`, { purpose: 'A new report' })
    const decided = await admin.post(`/api/admin/reports/${row!.id}/decide`, {
      action: 'delete_message',
      reason: 'We read it.',
    })
    assert.equal(decided.status, 200, decided.text)
  }
  await runCleanups()
  const received = (await owner.get('/api/messages?view=received')).body.items
  assert.ok(received.every(({ content }: { content: string }) => content !== 'I know where you live'))
  const { rows, files } = await exported(id)
  assert.ok(goneFrom(rows, 'messages').some(({ row }) => row['content'] === 'I know where you live'))
  assert.ok(
    rows.some(
      ({ table, why, row }) => table === 'messages' && why === 'changed' && row['reply'] === 'Come and make me',
    ),
  )
  assert.ok(files[`${one.imageId}.webp`])
})

test('what ends by itself is kept: old messages, sign-ins, IP addresses, decisions, cases and cards', async () => {
  const [person, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(person)
  const id = await holdAccount(person)
  const { body: old } = await sender.post('/api/messages', { plate, content: 'A year ago' })
  const { body: hit } = await sender.post('/api/messages', {
    plate,
    content: 'About your bumper',
    reason: 'accident',
    collision: {
      kind: 'hit',
      province: 'Ontario',
      particulars: { name: 'Kim Roy', phone: '416 555 0100' },
      not_anonymous: true,
    },
  })
  const { body: reported } = await sender.post('/api/messages', { plate, content: 'Watch out' })
  await person.post(`/api/messages/${reported.id}/report`, { reason: 'threat', note: 'It is still going on' })
  await db`update report_cases set created_at = '2020-01-01' where message_id = ${reported.id}`
  await db`update messages set inserted_at = '2020-01-01' where id in (${old.id}, ${hit.id})`
  await db`update auth.events set at = '2020-01-01' where user_id = ${person.id}`
  await db`update auth.sessions set ip = '203.0.113.7', created_at = '2020-01-01' where user_id = ${person.id}`
  await db`
    insert into audit_log (id, at, action, subject, subject_id)
    values (gen_random_uuid(), '2020-01-01', 'user_looked_up', 'x', ${person.id})`
  await runCleanups()
  await runCleanups()
  assert.equal((await db`select from messages where id in (${old.id}, ${hit.id})`).length, 0)

  const { rows, text } = await exported(id)
  assert.ok(goneFrom(rows, 'messages').some(({ row }) => row['content'] === 'A year ago'))
  assert.ok(goneFrom(rows, 'auth.events').length > 0)
  assert.ok(goneFrom(rows, 'auth.sessions').some(({ row }) => row['ip'] === '203.0.113.7'))
  assert.equal(goneFrom(rows, 'audit_log').length, 1)
  assert.match(text, /416 555 0100/)
  assert.equal(goneFrom(rows, 'report_cases').length, 1)
  assert.match(text, /It is still going on/)
})

test('documents of a dispute stay as files, and are in the export as they were uploaded', async () => {
  const { challenger, vehicles } = await startDispute(app, 'HOLD1')
  const pdf = pdfWith('A licence')
  const sent = await uploadDocument(challenger, vehicles.challenger.id, pdf, { name: 'a.pdf', type: 'application/pdf' })
  assert.equal(sent.status, 201, sent.text)
  const id = await holdAccount(challenger)
  await challenger.delete(`/api/vehicles/${vehicles.challenger.id}`)
  await runCleanups()
  assert.equal((await db`select from dispute_documents`).length, 0)
  const { rows, files } = await exported(id)
  const [document] = goneFrom(rows, 'dispute_documents')
  assert.deepEqual(files[`${String(document?.row['id'])}.pdf`], Buffer.from(pdf))
  assert.equal(goneFrom(rows, 'plate_disputes').length, 1)
})

test('a changed name is kept as it was, and a vehicle registered later is held too', async () => {
  const person = await app.user({ full_name: 'First Name' })
  const id = await holdAccount(person)
  assert.equal((await person.put('/auth/v1/user', { data: { full_name: 'Second Name' } })).status, 200)
  const vehicle = await app.vehicle(person)
  await person.delete(`/api/vehicles/${vehicle.id}`)
  const { rows, text } = await exported(id)
  assert.match(text, /First Name/)
  assert.match(text, /Second Name/)
  assert.ok(goneFrom(rows, 'vehicles').some(({ row }) => row['id'] === vehicle.id))
})

test('the address an account had before its person changed it is kept, and the change goes on as any other', async () => {
  const person = await app.user()
  const id = await holdAccount(person)
  const { email, current, fresh } = await requestChange(app, person)
  for (const token of [current.confirm, fresh.confirm])
    assert.equal((await app.visitor.post('/api/email-change/links', { action: 'confirm', token })).status, 200)

  assert.equal((await app.signIn(email, person.password)).id, person.id)
  const former = goneFrom((await exported(id)).rows, 'auth.users').map(({ why, row }) => [why, row['email']])
  assert.deepEqual(former, [['changed', person.email]])
})

test('the copies are encrypted within a round: nothing that was written, no name and no plate is left in clear', async () => {
  const person = await app.user({ full_name: 'Unmistakable Name' })
  await app.vehicle(person, { plate: 'CLEAR1' })
  const id = await holdAccount(person)
  await person.post('/functions/v1/delete-user', { id: person.id })
  await keepRecords(context)
  const rows = await db<{ text: string }[]>`select r::text as text from held_records r where hold_id = ${id}`
  assert.ok(rows.length > 0)
  for (const word of ['Unmistakable', 'CLEAR1', person.email]) assert.ok(rows.every(({ text }) => !text.includes(word)))
  const [hold] = await db<{ text: string }[]>`select h::text as text from holds h where id = ${id}`
  for (const word of ['SPVM', 'Production', person.email]) assert.ok(!hold!.text.includes(word))
})

test('when a hold is lifted, or its last day is over, what it kept is destroyed, with the files', async () => {
  for (const way of ['lifted', 'over']) {
    const [owner, sender] = [await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    const photo = await sendPhoto(sender, vehicle.plate, 'Your lights are on')
    const id = await holdPlate(vehicle.plate)
    for (const who of [owner, sender]) await who.post('/functions/v1/delete-user', { id: who.id })
    await runCleanups()
    assert.equal(await hasFile(photo.file), true)
    if (way === 'lifted') {
      const { status, body } = await admin.post(`/api/admin/holds/${id}/lift`, { reason: 'The order was quashed.' })
      assert.deepEqual([status, body.in_force, body.lift_reason], [200, false, 'The order was quashed.'])
    } else await db`update holds set ends_on = (now() at time zone 'America/Toronto')::date - 1 where id = ${id}`
    await keepRecords(context)
    await runCleanups()
    assert.equal((await db`select from held_records where hold_id = ${id}`).length, 0, way)
    assert.equal((await db`select from held_ids where hold_id = ${id}`).length, 0, way)
    assert.equal(await hasFile(photo.file), false, way)
    const lifting = await admin.post(`/api/admin/holds/${id}/lift`, { reason: 'Again' })
    assert.deepEqual([lifting.status, lifting.body.code], [409, 'hold_over'])
    const extending = await admin.post(`/api/admin/holds/${id}/extend`, { reason: 'Again', ends_on: dayFromNow(10) })
    assert.deepEqual([extending.status, extending.body.code], [409, 'hold_over'])
  }
})

test('a hold that another one outlasts leaves that one’s copies and files', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  const vehicle = await app.vehicle(owner)
  const photo = await sendPhoto(sender, vehicle.plate, 'Twice')
  const [first, second] = [await holdPlate(vehicle.plate), await holdAccount(owner)]
  for (const who of [owner, sender]) await who.post('/functions/v1/delete-user', { id: who.id })
  await admin.post(`/api/admin/holds/${first}/lift`, { reason: 'Done' })
  await runCleanups()
  assert.equal(await hasFile(photo.file), true)
  assert.ok((await exported(second)).files[`${photo.imageId}.webp`])
})

test('nothing is kept of anybody else, nor of anything without a hold in force', async () => {
  const [held, other, third] = [await app.user(), await app.user(), await app.user()]
  const id = await holdAccount(held)
  const { plate } = await app.vehicle(other)
  await third.post('/api/messages', { plate, content: 'Between others' })
  await other.post('/functions/v1/delete-user', { id: other.id })
  await third.post('/functions/v1/delete-user', { id: third.id })
  const rows = await db`select from held_records where row_id in (${other.id}, ${third.id})`
  assert.equal(rows.length, 0)
  assert.doesNotMatch((await exported(id)).text, /Between others/)
})

test('the person notices nothing: not in the app, the export, the mails, nor by how a deletion answers', async () => {
  const [held, free] = [await app.user(), await app.user()]
  for (const who of [held, free]) await app.vehicle(who)
  await holdAccount(held)
  const responses = await Promise.all(
    [held, free].map(async (who) => {
      const [file, vehicles, events] = [
        await who.get('/api/me/export'),
        await who.get('/api/vehicles'),
        await who.get('/api/account-events'),
      ]
      assert.doesNotMatch(file.text + vehicles.text + events.text, /hold|SPVM/i)
      const deleted = await who.post('/functions/v1/delete-user', { id: who.id })
      return [Object.keys(vehicles.body.items[0]).sort().join(), deleted.status, deleted.text]
    }),
  )
  assert.deepEqual(responses[0], responses[1])
})
