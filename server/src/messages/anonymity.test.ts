import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { endDigestPause, untilPutOff } from '../test/end-digest-pause.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { collectObservable, createUserAt } from '../test/observable-surface.ts'
import { uploadImage } from '../test/upload.ts'

/**
 * Neither side learns who the other is (decision 0027): these tests search the raw bytes of everything either of them
 * can read.
 */
describe('anonymity', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
  })
  after(() => app.close())

  const createIdentity = (who: string) => ({
    full_name: `Zz${who}name Qq${who}surname`,
    email: `zz-${who}-mail@qq-${who}.example`,
  })

  const photo = async () =>
    sharp({ create: { width: 50, height: 40, channels: 3, background: '#123' } })
      .withExif({ IFD0: { Artist: 'Zzsendername', Copyright: 'Qqsendersurname' } })
      .jpeg()
      .toBuffer()

  const upload = async (who: Person, name: string) =>
    (await uploadImage(who, await photo(), { name })).body as { id: string; url: string }

  /** Collects everything that could reveal who a user is. */
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
    ]
  }

  /** Waits until a message was emailed, and lets the next one be emailed at once. */
  const untilMailed = async (id: string) => {
    await eventually(async () => {
      const [row] = await app.db`select from outbox where kind = 'message' and ref_id = ${id} and sent_at is not null`
      return row
    })
    await untilPutOff(app.db)
    await endDigestPause(app.db)
    app.context.outbox.wake()
  }

  const headersOf = (headers: Headers) => JSON.stringify([...headers])

  const search = (sources: Record<string, string>, secrets: string[]) =>
    Object.entries(sources).flatMap(([source, bytes]) =>
      secrets
        .filter((secret) => bytes.toLowerCase().includes(secret.toLowerCase()))
        .map((secret) => `${source} contains ${secret}`),
    )

  test('neither side can read a value of the other, in any byte', async () => {
    const [ownerIdentity, senderIdentity] = [createIdentity('owner'), createIdentity('sender')]
    const ownerCalls = { 'x-forwarded-for': '198.51.100.41', 'user-agent': 'ZzownerAgent/1.0' }
    const senderCalls = { 'x-forwarded-for': '203.0.113.97', 'user-agent': 'ZzsenderAgent/1.0' }
    const [owner, sender] = [
      await createUserAt(app, ownerIdentity, ownerCalls),
      await createUserAt(app, senderIdentity, senderCalls),
    ]
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
      { 'idempotency-key': key },
    )
    await ownerStream.next((e) => e.event === 'notification')
    await owner.post(`/api/messages/${sent.id}/reply`, { reply: 'Thank you' })
    await senderStream.next((e) => e.event === 'notification')
    await Promise.all([app.mails(owner.email), app.mails(sender.email)])

    const streamed = (stream: typeof ownerStream) => ({ 'live stream': stream.raw() + headersOf(stream.headers) })
    const byOwner = { ...(await collectObservable(app, owner, 'received')), ...streamed(ownerStream) }
    const sources = Object.keys(byOwner)
    for (const source of [/\.webp$/, /^GET \/api\/export$/, /^GET \/api\/dashboard$/, /^a second reply/, /^mail 0$/])
      assert.ok(
        sources.some((name) => source.test(name)),
        `${source} was searched`,
      )
    const ofSender = [...valuesOf(sender, senderIdentity), ...Object.values(senderCalls), key, attachment.id]
    assert.deepEqual(search(byOwner, ofSender), [])
    const bySender = { ...(await collectObservable(app, sender, 'sent')), ...streamed(senderStream) }
    const ofOwner = [...valuesOf(owner, ownerIdentity), ...Object.values(ownerCalls), vehicleId]
    assert.deepEqual(search(bySender, ofOwner), [])
    await Promise.all([ownerStream.close(), senderStream.close()])
  })

  test('a digest contains nothing about the senders, in its headers or its body', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const names = [createIdentity('first'), createIdentity('second')]
    const senders = [await app.user(names[0]), await app.user(names[1])]
    const send = async (who: Person, content: string) => {
      const attachment = await upload(who, `${who.id}.jpg`)
      const input = { plate, content, reason: 'alarm', attachment_id: attachment.id }
      const { body } = await who.post('/api/messages', input, { 'user-agent': 'ZzsenderAgent/1.0' })
      return { id: body.id as string, attachment: attachment.id }
    }
    const first = await send(senders[0]!, 'mailed at once')
    await eventually(async () => {
      const [row] = await app.db`select from outbox where ref_id = ${first.id} and sent_at is not null`
      return row
    })
    const sent = [await send(senders[0]!, 'one'), await send(senders[0]!, 'two'), await send(senders[1]!, 'three')]
    await untilMailed(first.id)
    await untilMailed(sent[2]!.id)

    const mails = await app.db<{ row: string; headers: Record<string, string>; text: string }[]>`
      select to_jsonb(m)::text as row, headers, "text" from captured_mails m where "to" = ${owner.email} order by sent_at`
    const digest = mails.at(-1)!
    for (const word of ['one', 'two', 'three']) assert.match(digest.text, new RegExp(`^> ${word}$`, 'm'))
    assert.match(digest.headers['List-Unsubscribe'] ?? '', /^<http:\/\/platenote\.test\/unsubscribe\/[\w-]{43}>$/)
    const ofSenders = senders.flatMap((who, i) => valuesOf(who, names[i]!))
    const secrets = [...ofSenders, 'ZzsenderAgent', ...sent.map(({ attachment }) => attachment)]
    assert.deepEqual(search({ digest: digest.row }, secrets), [])
    // the link in the headers is the recipient's, regardless of the sender
    assert.equal(mails[0]!.headers['List-Unsubscribe'], digest.headers['List-Unsubscribe'])
  })

  test('refusals of a send say nothing about the owner', async () => {
    const ownerIdentity = createIdentity('hidden')
    const owner = await app.user(ownerIdentity)
    const waiting = await app.vehicle(owner, { status: 'pending_verification' })
    const sender = await app.user()
    const responses = [
      await sender.post('/api/messages', { plate: waiting.plate, content: 'x' }),
      await sender.post('/api/messages', { plate: 'UNKNOWN9', content: 'x' }),
    ]
    for (const { text, headers } of responses) {
      assert.deepEqual(
        search({ answer: text + headersOf(headers) }, [...valuesOf(owner, ownerIdentity), waiting.id]),
        [],
      )
    }
  })
})
