import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { accepted, createCaller, type Person, type TestResponse, testApp } from '../test/app.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { sendMessage } from '../test/messages.ts'
import { downloadImage, drawPng, uploadImage } from '../test/upload.ts'

type Item = { id: string; image_url: string | null }
type Notice = { id: string; data: { message_id?: string } }

/** Returns every value in a JSON document, as text, and every run of letters and digits in it that could identify a user. */
function collectValues(json: unknown): Set<string> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    else {
      const text = String(value)
      found.add(text)
      for (const run of text.match(/[A-Za-z0-9]{8,}/g) ?? []) found.add(run)
    }
  }
  walk(json)
  return found
}

/**
 * Returns the values that reveal that two items come from one user: some items of one user share them, and no item of another
 * user has them. The items must be in the order of their creation, with no two of one user next to each other, so that a time
 * two of them share is shared by others too.
 *
 * @param items the values of each item, and whose it is
 */
function linkingValues(items: { whose: number; values: Set<string> }[]): string[] {
  const ownersByValue = new Map<string, number[]>()
  for (const { whose, values } of items)
    for (const value of values) ownersByValue.set(value, [...(ownersByValue.get(value) ?? []), whose])
  return [...ownersByValue]
    .filter(([, owners]) => owners.length > 1 && new Set(owners).size === 1)
    .map(([value]) => value)
    .sort()
}

const app = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
const picture = await drawPng()

/**
 * No value is the same in two messages of one user and different in another user's (decision mutual-anonymity). What users wrote is
 * such a value: the search must find it, and nothing else.
 */
describe('messages of one user cannot be linked', () => {
  const WORDS = ['firstword', 'otherword', 'thirdword']
  const PEOPLE = WORDS.map((word, k) => ({
    word,
    who: { full_name: `Person ${word}`, locale: k === 0 ? 'fr-CA' : 'en' },
    headers: {
      'x-forwarded-for': `203.0.113.${k + 1}`,
      'user-agent': `Browser-of-${word}/1.0`,
      'accept-language': k === 0 ? 'fr-CA' : 'en',
    },
    camera: { IFD2: { BodySerialNumber: `serial-of-${word}` } },
  }))
  const ROUNDS = [1, 2]

  /** Signs a user up, and then in with headers that all of the user's calls have. */
  async function createUserAt({ who, headers }: (typeof PEOPLE)[number]): Promise<Person> {
    const person = await app.user(who)
    const { email, password } = person
    const signIn = app.visitor.post('/auth/v1/token?grant_type=password', { email, password }, headers)
    const { access_token: token } = await accepted(signIn)
    return { ...person, token, ...createCaller(app.url, token, headers) }
  }

  /** Sends a message with a photo from the user's own camera. */
  const send = async (from: Person, k: number, plate: string, content: string) => {
    const photo = await sharp(picture).withExif(PEOPLE[k]!.camera).jpeg().toBuffer()
    const image = await uploadImage(from, photo, { name: `${from.id}.jpg` })
    const id = await sendMessage(from, plate, content, { attachment_id: image.body.id })
    await untilMailed('message', id)
    return id
  }

  /** Waits until a message or reply was emailed, and lets the next one be emailed at once. */
  const untilMailed = async (kind: 'message' | 'reply', id: string) => {
    await eventually(async () => {
      const [row] = await app.db`select from outbox where kind = ${kind} and ref_id = ${id} and sent_at is not null`
      return row
    })
    await app.db`update digests set next_at = now()`
  }

  const shown = ({ status, headers, body }: TestResponse) => [status, [...headers], body]

  /** Collects everything its reader can get about one message. */
  async function everythingAbout(id: string, reader: Person, view: 'received' | 'sent', raw: string) {
    const path = `/api/messages/${id}`
    const one = await reader.get(path)
    const { body: list } = await reader.get(`/api/messages?view=${view}`)
    const { body: notices } = await reader.get('/api/notifications')
    const { body: data } = await reader.get('/api/export')
    const notice = (notices.items as Notice[]).find((n) => n.data.message_id === id)!
    const frame = raw.split('\n\n').find((event) => event.includes(id))
    const mails = await app.db`
      select m.* from captured_mails m join outbox o on o.id = m.outbox_id
      where o.ref_id = ${id} and m.to = ${reader.email}`
    const image = await downloadImage(app.url + one.body.image_url)
    assert.ok(notice && frame && mails.length === 1, 'there is a notification, a live event and a mail')
    return collectValues([
      shown(one),
      (list.items as Item[]).find((item) => item.id === id),
      (data[`messages_${view}`] as Item[]).find((item) => item.id === id),
      shown(await reader.patch(path, { is_read: true })),
      shown(await reader.post(`${path}/reply`, { reply: 'said again' })),
      shown(await reader.post(`${path}/reply`, { reply: '' })),
      notice,
      shown(await reader.patch(`/api/notifications/${notice.id}`, { is_read: true })),
      frame.split('\n').map((line) => (line.startsWith('data: ') ? JSON.parse(line.slice(6)) : line)),
      mails,
      [...image.headers],
      image.bytes.toString('latin1'),
    ])
  }

  test('by an owner who gets messages from several senders', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const stream = await openStream(app.url, owner.token)
    const senders: Person[] = []
    for (const person of PEOPLE) senders.push(await createUserAt(person))

    const sent: { whose: number; id: string }[] = []
    for (const _ of ROUNDS)
      for (const [k, sender] of senders.entries()) sent.push({ whose: k, id: await send(sender, k, plate, WORDS[k]!) })
    await stream.next(({ data }) => data.includes(sent.at(-1)!.id))

    const seen = []
    for (const { whose, id } of sent)
      seen.push({ whose, values: await everythingAbout(id, owner, 'received', stream.raw()) })
    await stream.close()
    assert.deepEqual(linkingValues(seen), WORDS)
  })

  test('by a sender who gets replies from several owners', async () => {
    const sender = await app.user()
    const stream = await openStream(app.url, sender.token)
    const owners: Person[] = []
    for (const person of PEOPLE) owners.push(await createUserAt(person))

    const sent: { whose: number; id: string }[] = []
    for (const _ of ROUNDS) {
      for (const [k, owner] of owners.entries()) {
        const { plate } = await app.vehicle(owner)
        const id = await send(sender, 0, plate, 'the same for all')
        const { status } = await owner.post(`/api/messages/${id}/reply`, { reply: WORDS[k]! })
        assert.equal(status, 200)
        await untilMailed('reply', id)
        sent.push({ whose: k, id })
      }
    }
    await stream.next(({ data }) => data.includes(sent.at(-1)!.id))

    const seen = []
    for (const { whose, id } of sent)
      seen.push({ whose, values: await everythingAbout(id, sender, 'sent', stream.raw()) })
    await stream.close()
    assert.deepEqual(linkingValues(seen), WORDS)
  })
})
