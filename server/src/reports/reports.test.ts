import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { hashPerson } from '../limits/canonical-address.ts'
import { type Caller, deleteAccount, type Person, testApp } from '../test/app.ts'
import { fieldsOf } from '../test/fields.ts'
import { sendMessage } from '../test/messages.ts'
import { downloadImage, drawPng, uploadImage } from '../test/upload.ts'
import { listSubjectCases, readEvidence } from './case-queries.ts'

// Reporting (decision message-reports). Nobody reads a case here but through the functions the inbox is built on.

const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })

const THREAT = 'I know where you park'
const { db } = app

const from = (ip: string) => ({ 'x-forwarded-for': ip })
let networkCount = 0
/** Returns an address of a network nobody else has. */
const newNetwork = () => `2001:db8:${(++networkCount).toString(16)}::1`

const send = (sender: Caller, plate: string, more?: object) => sendMessage(sender, plate, THREAT, more)
const report = (who: Caller, message: string, more: object = {}, ip = newNetwork()) =>
  who.post(`/api/messages/${message}/report`, { reason: 'threat', ...more }, from(ip))

/** Finds the case of a reported message, opened. */
async function openCase(messageId: string, side: 'message' | 'reply' = 'message') {
  const [row] = await db<{ id: string }[]>`
    select id from report_cases where message_id = ${messageId} and side = ${side}`
  return (await readEvidence(app.context, row!.id))!
}
const personOf = (email: string) => hashPerson(app.context.keyring, email).toString('base64')

describe('a report', () => {
  test('leaves evidence that opens after both accounts, the vehicle and the message are gone', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    const image = (await uploadImage(sender, await drawPng())).body
    const id = await send(sender, vehicle.plate, { reason: 'other', attachment_id: image.id })
    const shown = await downloadImage(app.url + image.url)
    await owner.post(`/api/messages/${id}/reply`, { reply: 'Leave me alone' })
    const { body: message } = await owner.get(`/api/messages/${id}`)
    const response = await report(owner, id, { note: 'He follows me' })
    assert.equal(response.status, 201)
    assert.deepEqual(Object.keys(response.body), ['id', 'created_at'])
    assert.equal((await report(sender, id, { reason: 'harassment' })).status, 201)
    // both sides keep what they had
    assert.deepEqual((await owner.get(`/api/messages/${id}`)).body, message)

    await owner.delete(`/api/vehicles/${vehicle.id}`)
    await deleteAccount(owner)
    await deleteAccount(sender)
    assert.equal((await db`select from messages where id = ${id}`).length, 0)
    assert.equal((await downloadImage(app.url + image.url)).status, 404)

    const { evidence, reports, ...one } = await openCase(id)
    assert.deepEqual(evidence, {
      version: 1,
      message_id: id,
      content: THREAT,
      reason: 'other',
      typed_plate: vehicle.plate,
      inserted_at: message.inserted_at,
      reply: 'Leave me alone',
      replied_at: message.replied_at,
      has_image: true,
      vehicle: {
        id: vehicle.id,
        plate: vehicle.plate,
        province: 'Ontario',
        make: 'Honda',
        model: 'Civic',
        registration_year: 2020,
        status: 'active',
      },
      sender_person: personOf(sender.email),
      owner_person: personOf(owner.email),
    })
    assert.ok(one.image?.equals(shown.bytes))
    assert.deepEqual(fieldsOf(reports, 'reason', 'note'), [['threat', 'He follows me']])
    // the reply is a case of its own, about the owner
    const reply = await openCase(id, 'reply')
    assert.deepEqual([reply.evidence.reply, reply.reason], ['Leave me alone', 'harassment'])
    const subjects = await db<{ id: string; person: string }[]>`
      select id, encode(person_hash, 'base64') as person from subjects where id in (${one.subject_id}, ${reply.subject_id})`
    const people = Object.fromEntries(subjects.map(({ id: subject, person }) => [subject, person]))
    assert.deepEqual(
      [people[one.subject_id], people[reply.subject_id]],
      [personOf(sender.email), personOf(owner.email)],
    )
  })

  test('names the person who wrote even if the account was deleted before', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const id = await send(sender, (await app.vehicle(owner)).plate)
    await deleteAccount(sender)
    assert.equal((await report(owner, id)).status, 201)
    assert.equal((await openCase(id)).evidence.sender_person, personOf(sender.email))
  })

  test('is taken once from a person, whatever account they use, and needs a reply to report one', async () => {
    const email = `twice-${randomUUID()}@example.com`
    const [owner, sender] = [await app.user({ email }), await app.user()]
    const id = await send(sender, (await app.vehicle(owner)).plate)
    assert.equal((await report(sender, id)).body.code, 'nothing_to_report')
    const responses = await Promise.all([report(owner, id), report(owner, id), report(owner, id, { reason: 'spam' })])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409])
    assert.equal((await report(owner, id)).body.code, 'already_reported')
  })
})

describe('independent reporters', () => {
  /** Lets somebody new report a message they got from this sender. */
  const reportBySomebody = async (sender: Person, ip: string, plate?: string) => {
    const owner = await app.user()
    const vehicle = await app.vehicle(owner, plate === undefined ? {} : { plate, province: 'Quebec' })
    const id = await send(sender, vehicle.plate, { province: vehicle.province })
    assert.equal((await report(owner, id, {}, ip)).status, 201)
    return { id, owner, vehicle }
  }

  test('are one for people with the same plate, and for one person with several accounts', async () => {
    const sender = await app.user()
    const { id, vehicle } = await reportBySomebody(sender, newNetwork(), 'SHARED1')
    await db`update vehicles set status = 'rejected' where id = ${vehicle.id}`
    await reportBySomebody(sender, newNetwork(), 'SHARED1')
    assert.equal((await openCase(id)).reporters, 1)

    const email = `several-${randomUUID()}@example.com`
    for (const address of [email, email.replace('@', '+2@')]) {
      const owner = await app.user({ email: address })
      assert.equal((await report(owner, await send(sender, (await app.vehicle(owner)).plate))).status, 201)
    }
    assert.equal((await openCase(id)).reporters, 2)
    const { subject_id } = await openCase(id)
    assert.equal((await listSubjectCases(db, subject_id, null, 10)).length, 4)
  })

  test('cannot be recognized in the database as having reported two people', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const ip = newNetwork()
    const cases = []
    for (let i = 0; i < 2; i++) {
      const id = await send(await app.user(), plate)
      await report(owner, id, {}, ip)
      cases.push((await openCase(id)).id)
    }
    const rows = await db<{ traces: string[] }[]>`
      select array[reporter_hash, network_hash] || plate_hashes as traces from reports where case_id = any(${cases}::uuid[])`
    const traces = rows.flatMap((row) => row.traces.map(String))
    assert.equal(new Set(traces).size, 6)
  })
})
