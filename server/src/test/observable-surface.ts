import assert from 'node:assert/strict'
import type { Answer, Person, TestApp } from './app.ts'
import { downloadImage } from './upload.ts'

/** Signs somebody up who calls from this address with this browser, and signs in from there. */
export async function createUserAt(
  app: TestApp,
  who: Parameters<TestApp['user']>[0],
  headers: { 'x-forwarded-for': string; 'user-agent': string },
): Promise<Person> {
  const person = await app.user(who)
  const { email, password } = person
  const { body } = await app.visitor.post('/auth/v1/token?grant_type=password', { email, password }, headers)
  const caller = app.withToken(body.access_token)
  return {
    ...person,
    token: body.access_token,
    refreshToken: body.refresh_token,
    get: (path, extra) => caller.get(path, { ...headers, ...extra }),
    post: (path, sent, extra) => caller.post(path, sent, { ...headers, ...extra }),
    patch: (path, sent, extra) => caller.patch(path, sent, { ...headers, ...extra }),
    put: (path, sent, extra) => caller.put(path, sent, { ...headers, ...extra }),
    delete: (path, sent, extra) => caller.delete(path, sent, { ...headers, ...extra }),
  }
}

/** An answer with everything it says. */
const serializeAnswer = ({ status, headers, text }: Answer) => JSON.stringify([status, ...headers]) + text

type Document = { paths: Record<string, { get?: { 'x-audience'?: string } }> }

/** Every list and page of their own a signed-in person can ask for: what the interface says it serves. */
async function listOwnPages(app: TestApp): Promise<string[]> {
  const { paths } = (await app.visitor.get('/openapi.json')).body as Document
  return Object.entries(paths)
    .filter(([path, { get }]) => get && get['x-audience'] !== 'admin' && !path.includes('{'))
    .map(([path]) => path)
}

/**
 * All bytes a person can get at, heads of answers included, one entry for each place: every page of theirs, each message
 * and notification with what may be done to it, refusals, images, mails.
 */
export async function collectObservable(
  app: TestApp,
  who: Person,
  view: 'received' | 'sent',
): Promise<Record<string, string>> {
  const places: Record<string, string> = {}
  const add = (place: string, status: number, answer: Answer) => {
    assert.equal(answer.status, status, `${place}: ${answer.text}`)
    places[place] = serializeAnswer(answer)
  }
  const { body: messages } = await who.get(`/api/messages?view=${view}`)
  for (const { id, image_url } of messages.items as { id: string; image_url: string | null }[]) {
    const path = `/api/messages/${id}`
    add(`GET ${path}`, 200, await who.get(path))
    add(`PATCH ${path}`, view === 'received' ? 200 : 404, await who.patch(path, { is_read: true }))
    add(`PATCH ${path}, malformed`, 400, await who.patch(path, { is_read: 'x' }))
    add(`a second reply to ${id}`, view === 'received' ? 409 : 404, await who.post(`${path}/reply`, { reply: 'again' }))
    if (!image_url) continue
    const { headers, bytes } = await downloadImage(app.url + image_url)
    places[image_url] = JSON.stringify([...headers]) + bytes.toString('latin1')
  }
  for (const { id } of (await who.get('/api/notifications')).body.items) {
    const path = `/api/notifications/${id}`
    add(`PATCH ${path}`, 200, await who.patch(path, { is_read: true }))
  }
  for (const path of [...(await listOwnPages(app)), `/api/messages?view=${view}`, '/auth/v1/user'])
    add(`GET ${path}`, 200, await who.get(path))
  const mails = await app.db<
    { row: string }[]
  >`select to_jsonb(m)::text as row from captured_mails m where "to" = ${who.email}`
  assert.ok(mails.length > 0, 'there is a mail to look into')
  mails.forEach(({ row }, i) => {
    places[`mail ${i}`] = row
  })
  return places
}

/** Every value in a piece of JSON, as text, and every run of letters and digits in it that could name somebody. */
export function collectValues(json: unknown): Set<string> {
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
 * What tells that two things come from one person: values some things of one person share, and nothing of anybody else
 * has. Things are looked at in the order in which they came, nobody's next to each other, so that a time which two share
 * is shared by others too.
 *
 * @param things one list of values for each thing, with whose it is
 */
export function linkingValues(things: { whose: number; values: Set<string> }[]): string[] {
  const owners = new Map<string, number[]>()
  for (const { whose, values: all } of things)
    for (const value of all) owners.set(value, [...(owners.get(value) ?? []), whose])
  return [...owners]
    .filter(([, whose]) => whose.length > 1 && new Set(whose).size === 1)
    .map(([value]) => value)
    .sort()
}
