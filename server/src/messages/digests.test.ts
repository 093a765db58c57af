import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CapturedMail, type Person, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { endDigestPause, untilPutOff } from '../test/message-mail-harness.ts'
import { sendMessage, whileNew } from '../test/messages.ts'
import { join } from '../test/vehicle-people.ts'

const app = await testApp()
const sender = await app.user()

describe('several messages in one email', () => {
  const send = (plate: string, content: string, more?: object) => sendMessage(sender, plate, content, more)
  const statusOf = async (id: string) => (await sender.get(`/api/messages/${id}`)).body.email_status
  /** Sends one message, whose email is sent at once, so that the next ones wait. */
  const sendFirst = async (owner: Person, plate: string) => {
    const id = await send(plate, 'the first')
    await app.mails(owner.email)
    await eventually(async () => {
      const left = await app.db`select from outbox where ref_id = ${id} and sent_at is not null`
      return left.length === 1 ? true : undefined
    })
    return id
  }
  /** Waits until the worker has put off everything for the owner, then lets five minutes pass. */
  const passFiveMinutes = async (owner: Person) => {
    await untilPutOff(app.db, owner.id)
    await endDigestPause(app.db, owner.id)
    app.context.outbox.wake()
  }
  const nextDigest = async (owner: Person): Promise<CapturedMail> => {
    await passFiveMinutes(owner)
    const [mail] = await app.mails(owner.email, 2)
    return mail!
  }

  test('messages within five minutes of an email share the next one, newest first, and every sender sees when it is sent', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const first = await sendFirst(owner, plate)
    const second = await send(plate, 'Your lights are on', { reason: 'lights_on' })
    const third = await send(plate, 'Really, they are')
    assert.equal(await whileNew(app.db, [second], () => statusOf(second)), 'queued')

    const mail = await nextDigest(owner)
    assert.equal(mail.subject, `2 new messages about your vehicle ${plate}`)
    assert.match(
      mail.text,
      /\nMessage\n> Really, they are\nRead and reply:\n.*\n\nYour lights are on\n> Your lights are on\nRead and reply:\n.*\n\n.*\n\nAll my messages:\nhttp:\/\/platenote\.test\/dashboard\/messages\?view=received\n/,
    )
    assert.doesNotMatch(mail.text, /the first/)
    assert.ok(
      mail.text.includes(`\nYou’re receiving this email because you own or drive the vehicle ${plate} on PlateNote.\n`),
    )
    await eventually(async () => ((await statusOf(third)) === 'sent' ? true : undefined))
    for (const id of [first, second]) assert.equal(await statusOf(id), 'sent')
  })

  test('a message that cannot wait is emailed at once and by itself, and what waits keeps waiting', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    await sendFirst(owner, plate)
    await send(plate, 'Your lights are on', { reason: 'lights_on' })
    await untilPutOff(app.db, owner.id)
    await send(plate, 'A child is in your car', { reason: 'someone_inside' })
    const [mail] = await app.mails(owner.email, 2)
    assert.match(mail!.subject, new RegExp(`^URGENT – ${plate}`))
    assert.match(mail!.text, /\n> A child is in your car\n[\s\S]*\nI’m coming now:\n/)
    assert.doesNotMatch(mail!.text, /lights/)
    await passFiveMinutes(owner)
    const [later] = await app.mails(owner.email, 3)
    assert.match(later!.text, /\n> Your lights are on\n/)

    // several of them share one
    await app.db`
      update digests set next_at = now() + interval '1 minute', lease_token = gen_random_uuid() where recipient_id = ${owner.id}`
    for (const reason of ['lights_on', 'someone_inside', 'towing'] as const) await send(plate, reason, { reason })
    await passFiveMinutes(owner)
    const [digest] = await app.mails(owner.email, 4)
    assert.equal(digest!.subject, `URGENT – 2 new messages about your vehicle ${plate}`)
    assert.match(digest!.text, /\nGo now\. .*911[\s\S]*\n> towing\n[\s\S]*\n> someone_inside\n/)
    assert.doesNotMatch(digest!.text, /lights_on/)
    await passFiveMinutes(owner)
    const [last] = await app.mails(owner.email, 5)
    assert.match(last!.text, /\n> lights_on\n/)
  })

  test('a digest about several vehicles names each plate, in the owner’s language', async () => {
    const owner = await app.user({ locale: 'fr-CA' })
    const [one, two] = [await app.vehicle(owner), await app.vehicle(owner)]
    await sendFirst(owner, one.plate)
    await send(one.plate, 'Vous bloquez la sortie', { reason: 'blocked_in' })
    await send(two.plate, 'Bonjour')
    const mail = await nextDigest(owner)
    assert.equal(mail.subject, '2 nouveaux messages au sujet de vos véhicules')
    assert.ok(mail.text.includes(`[ ${two.plate} ] Message\n> Bonjour`))
    assert.ok(mail.text.includes(`[ ${one.plate} ] Votre véhicule bloque quelqu’un\n> Vous bloquez la sortie`))
    assert.match(mail.text, /\/fr\/dashboard\/messages\?view=received\n/)
    assert.match(mail.html, /<html lang="fr-CA"/)
    assert.match(
      mail.text,
      /\nVous recevez ce courriel parce que vous possédez ou conduisez ces véhicules sur PlateNote\.\n/,
    )
  })

  test('a digest shows the newest twenty at most, whole, and counts the rest, and is never so large that Gmail clips it', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    await sendFirst(owner, plate)
    for (let i = 1; i <= 22; i++) await send(plate, `nr${i} é`)
    const many = await nextDigest(owner)
    assert.equal(many.subject, `22 new messages about your vehicle ${plate}`)
    const newest = Array.from({ length: 20 }, (_, i) => String(22 - i))
    assert.deepEqual(
      [...many.text.matchAll(/^> nr(\d+) é$/gm)].map(([, n]) => n),
      newest,
    )
    assert.match(many.text, /\n2 more messages in PlateNote\.\n/)

    for (let i = 1; i <= 22; i++) await send(plate, `nr${i} ${'"'.repeat(1_990)}.`)
    await passFiveMinutes(owner)
    const [long] = await app.mails(owner.email, 3)
    const shown = [...long!.text.matchAll(/^> nr(\d+) "{1990}\.$/gm)].map(([, n]) => n)
    assert.deepEqual(shown, newest.slice(0, shown.length))
    assert.ok(shown.length >= 5, `${shown.length} messages`)
    assert.ok(long!.text.includes(`\n${22 - shown.length} more messages in PlateNote.\n`), long!.text)
    assert.equal(long!.text.match(/^> /gm)?.length, shown.length)
    assert.ok(Buffer.byteLength(long!.html) < 102_000, `${Buffer.byteLength(long!.html)} bytes`)
  })

  test('an owner who switches emails off while one waits gets none, and no sender can find out', async () => {
    const [quiet, other] = [await app.user(), await app.user()]
    const [a, b] = [(await app.vehicle(quiet)).plate, (await app.vehicle(other)).plate]
    await sendFirst(quiet, a)
    await sendFirst(other, b)
    const [toQuiet, toOther] = [await send(a, 'unwanted'), await send(b, 'wanted')]
    await quiet.patch('/api/preferences', { email_messages: false })
    const seen = async (id: string) => {
      const { id: _, plate, inserted_at, kept_until, content, ...rest } = (await sender.get(`/api/messages/${id}`)).body
      assert.ok(plate && inserted_at && kept_until && content)
      return rest
    }
    await whileNew(app.db, [toQuiet, toOther], async () => assert.deepEqual(await seen(toQuiet), await seen(toOther)))
    await passFiveMinutes(quiet)
    await passFiveMinutes(other)
    for (const id of [toQuiet, toOther])
      await eventually(async () => ((await statusOf(id)) === 'sent' ? true : undefined))
    assert.deepEqual(await seen(toQuiet), await seen(toOther))
    assert.equal((await app.mails(quiet.email)).length, 1)
    assert.equal((await app.mails(other.email)).length, 2)

    // an owner who does not want emails has the same status as everybody
    const next = await send(a, 'still unwanted')
    assert.equal(await whileNew(app.db, [next], () => statusOf(next)), 'queued')
  })

  test('a message that another driver answers before its email leaves is not emailed, and delays no other email', async () => {
    const [owner, driver] = [await app.user(), await app.user()]
    const { id, plate } = await app.vehicle(owner)
    await join(owner, id, driver)
    const untilEnded = (messageId: string) =>
      eventually(async () => {
        const ended = await app.db`
          select from outbox where ref_id = ${messageId} and recipient_id = ${owner.id} and sent_at is not null`
        return ended.length === 1 ? true : undefined
      })
    await untilEnded(await send(plate, 'the first'))
    const second = await send(plate, 'the second')
    await eventually(async () => ((await driver.get(`/api/messages/${second}`)).status === 200 ? true : undefined))
    assert.equal((await driver.post(`/api/messages/${second}/reply`, { reply: 'Coming' })).status, 200)
    await passFiveMinutes(owner)
    await untilEnded(second)
    await untilEnded(await send(plate, 'the third'))

    const texts = (await app.mails(owner.email)).map(({ text }) => /> (the \w+)/.exec(text)?.[1])
    assert.deepEqual(
      texts.filter((text) => text !== undefined),
      ['the third', 'the first'],
    )
  })
})
