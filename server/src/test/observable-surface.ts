import assert from 'node:assert/strict'
import type { Person, TestApp, TestResponse } from './app.ts'
import { downloadImage } from './upload.ts'

/** Signs a user up and then in with these headers, which all of the user's calls have. */
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

/** Returns a response as text, with its status and headers. */
const serializeResponse = ({ status, headers, text }: TestResponse) => JSON.stringify([status, ...headers]) + text

type Document = { paths: Record<string, { get?: { 'x-audience'?: string } }> }

/** Returns the paths of every list and page a signed-in user can request, from the OpenAPI document. */
async function listOwnPages(app: TestApp): Promise<string[]> {
  const { paths } = (await app.visitor.get('/openapi.json')).body as Document
  return Object.entries(paths)
    .filter(([path, { get }]) => get && get['x-audience'] !== 'admin' && !path.includes('{'))
    .map(([path]) => path)
}

/**
 * Collects all bytes a user can see, response headers included, by where they come from: the user's pages, each message and
 * notification with what may be done to it, refusals, images, emails.
 */
export async function collectObservable(
  app: TestApp,
  who: Person,
  view: 'received' | 'sent',
): Promise<Record<string, string>> {
  const bySource: Record<string, string> = {}
  const add = (source: string, status: number, response: TestResponse) => {
    assert.equal(response.status, status, `${source}: ${response.text}`)
    bySource[source] = serializeResponse(response)
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
    bySource[image_url] = JSON.stringify([...headers]) + bytes.toString('latin1')
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
  assert.ok(mails.length > 0, 'there is an email to look at')
  mails.forEach(({ row }, i) => {
    bySource[`mail ${i}`] = row
  })
  return bySource
}

/** Returns every value in a JSON document, as text, and every run of letters and digits in it that could identify a user. */
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
 * Returns the values that reveal that two items come from one user: some items of one user share them, and no item of another
 * user has them. The items must be in the order of their creation, with no two of one user next to each other, so that a time
 * two of them share is shared by others too.
 *
 * @param items the values of each item, and whose it is
 */
export function linkingValues(items: { whose: number; values: Set<string> }[]): string[] {
  const ownersByValue = new Map<string, number[]>()
  for (const { whose, values } of items)
    for (const value of values) ownersByValue.set(value, [...(ownersByValue.get(value) ?? []), whose])
  return [...ownersByValue]
    .filter(([, owners]) => owners.length > 1 && new Set(owners).size === 1)
    .map(([value]) => value)
    .sort()
}
