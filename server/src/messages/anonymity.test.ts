import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openStream } from '../test/live.ts'

/**
 * The recipient never learns who wrote, the sender never learns who owns (design §1, rule 2): looked for in the raw bytes
 * of everything either of them can read.
 */
describe('anonymity', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  const tellTale = (who: string) => ({
    full_name: `Zz${who}name Qq${who}surname`,
    email: `zz-${who}-mail@qq-${who}.example`,
  })

  const photo = async () =>
    sharp({ create: { width: 50, height: 40, channels: 3, background: '#123' } })
      .withExif({ IFD0: { Artist: 'Zzsendername', Copyright: 'Qqsendersurname' } })
      .jpeg()
      .toBuffer()

  const upload = async (who: Person, name: string) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await photo())], { type: 'image/jpeg' }), name)
    return (await who.post('/api/attachments', form)).body as { id: string; url: string }
  }

  /** Everything that could give a person away. */
  const valuesOf = (who: Person, name: { full_name: string; email: string }) => {
    const claims = JSON.parse(Buffer.from(who.token.split('.')[1]!, 'base64url').toString()) as { session_id: string }
    return [
      who.id,
      who.id.replaceAll('-', ''),
      who.email,
      who.email.split('@')[0]!,
      ...name.full_name.split(' '),
      claims.session_id,
      who.token,
      who.refreshToken,
      '127.0.0.1',
    ]
  }

  const headersOf = (headers: Headers) => JSON.stringify([...headers])

  /** All bytes a person can get at about their messages, one entry for each place. */
  async function readable(who: Person, view: 'received' | 'sent', stream: { raw(): string }) {
    const places: Record<string, string> = { 'live stream': stream.raw() }
    const urls = [
      `/api/messages?view=${view}`,
      '/api/notifications',
      '/api/dashboard',
      '/api/vehicles',
      '/api/notifications/unread-count',
    ]
    const { body: list } = await who.get(`/api/messages?view=${view}`)
    for (const { id, image_url } of list.items) {
      urls.push(`/api/messages/${id}`)
      if (image_url) {
        const image = await fetch(app.url + image_url)
        places[image_url] = headersOf(image.headers) + Buffer.from(await image.arrayBuffer()).toString('latin1')
      }
    }
    for (const url of urls) {
      const { status, text, headers } = await who.get(url)
      assert.equal(status, 200, url)
      places[url] = text + headersOf(headers)
    }
    const mails = await app.db<
      { row: string }[]
    >`select to_jsonb(m)::text as row from kept_mails m where "to" = ${who.email}`
    assert.ok(mails.length > 0, 'there is a mail to look into')
    // the address in the mail's own head is the reader's
    mails.forEach(({ row }, i) => {
      places[`mail ${i}`] = row
    })
    return places
  }

  const search = (places: Record<string, string>, secrets: string[]) =>
    Object.entries(places).flatMap(([place, bytes]) =>
      secrets
        .filter((secret) => bytes.toLowerCase().includes(secret.toLowerCase()))
        .map((secret) => `${place} holds ${secret}`),
    )

  test('no value of the one side can be read by the other, in any byte', async () => {
    const [ownerIs, senderIs] = [tellTale('owner'), tellTale('sender')]
    const [owner, sender] = [await app.user(ownerIs), await app.user(senderIs)]
    const { plate, id: vehicleId } = await app.vehicle(owner)
    const [ownerStream, senderStream] = [
      await openStream(app.url, owner.token),
      await openStream(app.url, sender.token),
    ]
    const attachment = await upload(sender, `${sender.id}_Zzsendername.jpg`)
    const key = 'key-of-the-sender-1'
    const { body: sent } = await sender.post(
      '/api/messages',
      { plate, content: 'Your lights are on', attachment_id: attachment.id },
      { 'idempotency-key': key, 'user-agent': 'ZzsenderAgent/1.0' },
    )
    await ownerStream.next((e) => e.event === 'notification')
    await owner.post(`/api/messages/${sent.id}/reply`, { reply: 'Thank you' }, { 'user-agent': 'ZzownerAgent/1.0' })
    await senderStream.next((e) => e.event === 'notification')
    await Promise.all([app.mails(owner.email), app.mails(sender.email)])

    const byOwner = await readable(owner, 'received', ownerStream)
    assert.ok(
      Object.keys(byOwner).some((place) => place.endsWith('.webp')),
      'the image was looked into',
    )
    const ofSender = [...valuesOf(sender, senderIs), key, 'ZzsenderAgent', attachment.id]
    assert.deepEqual(search(byOwner, ofSender), [])
    const bySender = await readable(sender, 'sent', senderStream)
    const ofOwner = [...valuesOf(owner, ownerIs), 'ZzownerAgent', vehicleId]
    assert.deepEqual(search(bySender, ofOwner), [])
    await Promise.all([ownerStream.close(), senderStream.close()])
  })

  test('nothing a recipient reads is equal for two messages of one sender and other for another sender', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const [one, other] = [await app.user(), await app.user()]
    const send = async (who: Person) => {
      const attachment = await upload(who, 'same-name.jpg')
      const { body } = await who.post('/api/messages', { plate, content: 'hello', attachment_id: attachment.id })
      return body.id as string
    }
    const [a, b, c] = [await send(one), await send(one), await send(other)]
    await app.mails(owner.email, 3)
    const notices = (await owner.get('/api/notifications')).body.items
    const everything = async (id: string): Promise<Set<string>> => {
      const { body } = await owner.get(`/api/messages/${id}`)
      const image = await fetch(app.url + body.image_url)
      const [mail] =
        await app.db`select m.* from kept_mails m join outbox o on o.id = m.outbox_id where o.ref_id = ${id}`
      const notice = notices.find((n: { data: { message_id: string } }) => n.data.message_id === id)
      const text = JSON.stringify([body, notice, mail, [...image.headers]])
      // long enough to identify somebody
      return new Set(text.match(/[A-Za-z0-9_=+/.-]{8,}/g))
    }
    const [ofA, ofB, ofC] = [await everything(a), await everything(b), await everything(c)]
    const telling = [...ofA].filter((value) => ofB.has(value) && !ofC.has(value))
    // a time to the second, shared because both were sent at once, tells nobody apart
    assert.deepEqual(
      telling.filter((value) => !/^\d{2,4}-\d\d-\d\dT|^\d\d:\d\d/.test(value)),
      [],
    )
  })

  test('refusals of a send say nothing about the owner', async () => {
    const ownerIs = tellTale('hidden')
    const owner = await app.user(ownerIs)
    const waiting = await app.vehicle(owner, { status: 'pending_verification' })
    const sender = await app.user()
    const answers = [
      await sender.post('/api/messages', { plate: waiting.plate, content: 'x' }),
      await sender.post('/api/messages', { plate: 'UNKNOWN9', content: 'x' }),
    ]
    for (const { text, headers } of answers) {
      assert.deepEqual(search({ answer: text + headersOf(headers) }, [...valuesOf(owner, ownerIs), waiting.id]), [])
    }
  })
})
