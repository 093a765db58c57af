import assert from 'node:assert/strict'
import type { TestApp } from '../app.ts'
import type { ModelPerson } from './people.ts'
import type { Secrets } from './secrets.ts'

type Read = {
  'x-audience'?: string
  parameters: { name: string }[]
  responses: Record<string, { content?: object }>
}
type Document = { paths: Record<string, { get?: Read }> }

/** How the addresses with a parameter are called: with everything the model knows. A new one needs its line here. */
const PARAMETERS: Record<string, (known: Known) => string[]> = {
  '/api/vehicles/{id}/documents': ({ vehicles }) => vehicles.map(({ id }) => `/api/vehicles/${id}/documents`),
  '/api/vehicles/{id}/people': ({ vehicles }) => vehicles.map(({ id }) => `/api/vehicles/${id}/people`),
  '/api/vehicles/{id}/tag': ({ vehicles }) => vehicles.map(({ id }) => `/api/vehicles/${id}/tag`),
  '/api/messages/{id}/collision': ({ messageIds }) => messageIds.map((id) => `/api/messages/${id}/collision`),
  '/api/messages/{id}': ({ messageIds }) => messageIds.map((id) => `/api/messages/${id}`),
  '/api/receipts/{receipt}': () => [], // only guests have one, and nobody of the model is one
  '/api/admin/people/{id}': ({ subjectIds }) => subjectIds.map((id) => `/api/admin/people/${id}`),
  '/api/admin/users/{id}': ({ people }) => people.map(({ id }) => `/api/admin/users/${id}`),
  '/api/admin/users/{id}/events': ({ people }) => people.map(({ id }) => `/api/admin/users/${id}/events`),
}
type Known = { messageIds: string[]; people: ModelPerson[]; vehicles: { id: string }[]; subjectIds: string[] }
/** Reads that show more when asked for it, or are left out. */
const VARIANTS: Record<string, string[]> = {
  '/api/messages': ['/api/messages?limit=100&view=received', '/api/messages?limit=100&view=sent'],
  '/readyz': [], // 503 while so many reads keep a busy machine
}
/** One at a time for each person, and a few in all. */
const EXPORT = '/api/export'

/** Reads everything each of the people can get by reading: all pages of all lists, whatever the address is called. */
export async function everythingRead(
  app: TestApp,
  secrets: Secrets,
  people: ModelPerson[],
  known: Known,
  admin: ModelPerson,
): Promise<void> {
  const { paths } = (await app.visitor.get('/openapi.json')).body as Document
  const reads = Object.entries(paths).flatMap(([path, { get }]) => {
    const isJson = 'application/json' in (get?.responses['200']?.content ?? {}) // a live stream would not end
    return get && isJson && path !== EXPORT && !path.startsWith('/auth/') ? [{ path, ...get }] : []
  })
  await Promise.all(
    people.map(async (who) => {
      const own = reads.filter((read) => read['x-audience'] !== 'admin' || who === admin)
      const addresses = own.flatMap((read) => addressesOf(read, known))
      await Promise.all(['/auth/v1/user', ...who.mailedPaths, ...addresses].map((path) => readAllPages(who, path)))
      if (who === admin) await who.calls.post('/rest/v1/rpc/get_users', { limit: 100 })
      const { body } = await who.calls.get('/api/notifications?limit=100')
      for (const { id } of body.items as { id: string }[])
        if (!secrets.has(id)) secrets.add('notification id', id, who.key)
    }),
  )
  for (const who of people) {
    const exported = await who.calls.get(EXPORT)
    assert.equal(exported.status, 200, exported.text)
  }
}

function addressesOf({ path, parameters }: Read & { path: string }, known: Known): string[] {
  if (path.includes('{')) {
    return PARAMETERS[path]?.(known) ?? assert.fail(`the test does not know how to read ${path}: see PARAMETERS`)
  }
  const isList = parameters.some(({ name }) => name === 'limit')
  return VARIANTS[path] ?? [isList ? `${path}?limit=100` : path]
}

/** Reads an address, and the next pages if it is a list. */
async function readAllPages(who: ModelPerson, path: string): Promise<void> {
  for (let next: string | null = path; next !== null; ) {
    const { body } = await who.calls.get(next)
    const cursor: string | null = body?.next ?? null
    next = cursor && `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
  }
}
