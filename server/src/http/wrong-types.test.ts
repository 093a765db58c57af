import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Caller, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { frenchFieldText } from './field-texts.ts'
import { CHECK_FIELD } from './parse-fields.ts'

// What a call answers when a field has a value of another type: what the field wants, for every field of the contract.

type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}
type Operation = {
  'x-audience'?: string
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: { 'application/json'?: { schema: Schema } } }
}

const SERVICE_KEY = 'a-service-key-of-more-than-32-characters'
const app = await testApp({ settings: { SERVICE_KEY } })
after(() => app.close())
const [user, admin, service] = [await app.user(), await createAdmin(app), app.withToken(SERVICE_KEY)]
const { paths } = (await app.visitor.get('/openapi.json')).body as { paths: Record<string, Record<string, Operation>> }
// the auth protocol has its own errors, which name one field
const operations = Object.entries(paths)
  .filter(([path]) => !path.startsWith('/auth/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const VALUES: Record<string, unknown[]> = {
  string: ['x'],
  number: [7, 0.5],
  boolean: [true],
  array: [[]],
  object: [{}],
}
/** Returns values that are of no type the schema has. */
const wrongValues = (schema: Schema, name?: string): unknown[] => {
  if (name === 'limit') return ['x', {}] // a query has text alone, so that whatever reads as a number is one
  const types = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(({ type }) =>
    type === 'integer' ? 'number' : type,
  )
  return Object.entries(VALUES).flatMap(([type, values]) => (types.includes(type) ? [] : values))
}

/** Yields a body for every field below a schema and every wrong value: only what leads to the field, and its name. */
function* spoil(schema: Schema): Generator<{ field: string; body: unknown }> {
  for (const shape of schema.oneOf ?? schema.anyOf ?? []) yield* spoil(shape)
  const constants = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => ('const' in one ? [[name, one.const]] : [])),
  )
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    for (const value of wrongValues(one, name)) yield { field: name, body: { ...constants, [name]: value } }
    for (const { field, body } of spoil(one)) yield { field: `${name}.${field}`, body: { ...constants, [name]: body } }
  }
  if (schema.items) {
    for (const value of wrongValues(schema.items)) yield { field: '0', body: [value] }
    for (const { field, body } of spoil(schema.items)) yield { field: `0.${field}`, body: [body] }
  }
}

const callerFor = (path: string, audience: string | undefined): Caller => {
  if (path === '/send-email') return service // which alone may send most of its shapes
  if (audience === undefined) return app.visitor
  return audience === 'admin' ? admin : user
}

/** Asserts that what is said of a field says what it wants, in both languages. */
async function assertSays(field: string, call: string, send: (language: string) => ReturnType<Caller['get']>) {
  const { status, body } = await send('en')
  const text: unknown = body?.fields?.[field]
  assert.equal(status, 400, `${call} ${field}: ${JSON.stringify(body)}`)
  assert.ok(typeof text === 'string', `${call} says nothing of ${field}: ${JSON.stringify(body)}`)
  assert.doesNotMatch(text, /Required|Please fill|^Invalid|\bundefined\b/, `${call} ${field}`)
  assert.notEqual(text, CHECK_FIELD, `${call} ${field}`)
  assert.ok(frenchFieldText(text), `${call} ${field}: ‘${text}’ has no French`)
  assert.equal((await send('fr')).body.fields[field], frenchFieldText(text))
}

let checked = 0
for (const { path, method, operation } of operations) {
  const filled = path.replace(/\{\w+\}/g, () => randomUUID())
  const caller = callerFor(path, operation['x-audience'])
  const body = operation.requestBody?.content['application/json']?.schema
  const query = operation.parameters.filter((parameter) => parameter.in === 'query')
  if (!body && query.length === 0) continue

  test(`${method} ${path} says what a field wants that has a value of another type`, async () => {
    for (const { field, body: sent } of body ? spoil(body) : []) {
      checked++
      const send = caller[method.toLowerCase() as 'post' | 'put' | 'patch']
      await assertSays(field, `${method} ${path} ${JSON.stringify(sent)}`, (language) =>
        send(filled, sent, { 'accept-language': language }),
      )
    }
    for (const { name } of query) {
      checked++
      const target = `${filled}?${name}=x&${name}=y` // twice is a list
      await assertSays(name, `${method} ${path}`, (language) => {
        const headers = { 'accept-language': language }
        return method === 'DELETE' ? caller.delete(target, undefined, headers) : caller.get(target, headers)
      })
    }
  })
}

test('a field that is missing is required, null is another type, and an id that is none says so', async () => {
  const fields = async (path: string, body: object) => (await user.post(path, body)).body.fields
  const vehicle = { plate: 'ABC123', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  assert.deepEqual(await fields('/register-plate', { ...vehicle, registration_year: undefined, make: undefined }), {
    registration_year: 'Required',
    make: 'Required',
  })
  assert.deepEqual(await fields('/register-plate', { ...vehicle, registration_year: null, make: null }), {
    registration_year: 'Must be a number.',
    make: 'Must be text.',
  })
  assert.deepEqual((await user.get('/api/messages/7')).body.fields, { id: 'Must be an ID.' })
  assert.deepEqual((await user.get('/api/messages?limit=many')).body.fields, { limit: 'Must be a number.' })
  assert.deepEqual((await user.get('/api/messages?limit=0')).body.fields, { limit: 'Must be at least 1.' })
  assert.deepEqual((await user.get('/api/messages?limit=101')).body.fields, { limit: 'Must be at most 100.' })
  assert.deepEqual((await user.get('/api/messages?view=all')).body.fields, {
    view: 'Must be one of: received, sent.',
  })
})

test('the walk meets the fields of the contract', () => {
  assert.ok(checked > 300, String(checked))
})
