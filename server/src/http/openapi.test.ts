import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { newEmail, testApp } from '../test/app.ts'
import { recordRoutes } from '../test/matrix/routes.ts'
import { rawRequest } from '../test/raw-request.ts'
import { fieldText } from './field-texts.ts'
import { parseFields } from './parse-fields.ts'
import { definitionOf } from './route.ts'

const CONTRACT = join(import.meta.dirname, '../../../contract/src')

const { built: app, routes } = await recordRoutes(() => testApp())
const response = await app.visitor.get('/openapi.json')

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'audience' in value

const contractEndpoints = (
  await Promise.all(
    globSync('*.ts', { cwd: CONTRACT })
      .filter((file) => !file.endsWith('.test.ts'))
      .map(async (file) => Object.values(await import(pathToFileURL(join(CONTRACT, file)).href)) as unknown[]),
  )
)
  .flat()
  .filter(isEndpoint)

const pathOf = (endpoint: Endpoint) => endpoint.path.replace(/:(\w+)/g, '{$1}')

/** Those beside the calls: preflights, answers that a method is not allowed, and the mailbox of development. */
const isNoCall = async (method: string, url: string) =>
  method === 'OPTIONS' ||
  method === 'HEAD' ||
  url.startsWith('/dev/') ||
  (await fetch(app.url + url.replace(/:\w+/g, 'x'), { method, redirect: 'manual' })).status === 405

test('every call the router takes is described, and nothing else is', async () => {
  const described = Object.entries<Record<string, unknown>>(response.body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const calls = []
  for (const route of routes) {
    const [method = '', url = ''] = route.split(' ')
    if (!(await isNoCall(method, url))) calls.push(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
  }
  assert.ok(calls.length > 130)
  assert.deepEqual(described.toSorted(), calls.toSorted())
})

test('uploads, downloads, streams, pages and the headers of a call are described as what they are', () => {
  const { paths } = response.body
  const upload = paths['/api/attachments'].post.requestBody.content['multipart/form-data'].schema
  assert.equal(upload.properties.file.format, 'binary')
  assert.deepEqual(upload.required, ['file'])
  assert.ok(paths['/api/admin/documents/{id}/open'].post.responses['200'].content['application/octet-stream'])
  assert.ok(paths['/api/live'].get.responses['200'].content['text/event-stream'])
  assert.ok(paths['/n'].post.responses['200'].content['text/html'])
  const header = ({ parameters }: { parameters: { in: string; name: string }[] }) =>
    parameters.filter((one) => one.in === 'header').map(({ name }) => name)
  assert.deepEqual(header(paths['/api/live'].get), ['Last-Event-ID'])
  assert.deepEqual(header(paths['/api/messages'].post), ['Idempotency-Key'])
})

test('each operation has a summary, its success response, the error response and one parameter for each name in its path', () => {
  for (const endpoint of contractEndpoints) {
    const path = pathOf(endpoint)
    const operation = response.body.paths[path][endpoint.method.toLowerCase()]
    assert.ok(operation.summary, path)
    assert.deepEqual(Object.keys(operation.responses).sort(), [String(definitionOf(endpoint).status), 'default'], path)
    const inPath = operation.parameters.filter((p: { in: string }) => p.in === 'path')
    assert.deepEqual(
      inPath.map((p: { name: string }) => p.name),
      [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]),
    )
    for (const { name, schema, required } of operation.parameters) {
      assert.ok(Object.keys(schema).length > 0, `${path} ${name}`)
      if (inPath.some((p: { name: string }) => p.name === name)) assert.equal(required, true)
    }
    if (endpoint.method === 'GET' || endpoint.method === 'DELETE') assert.equal(operation.requestBody, undefined, path)
    const open = endpoint.audience === 'public'
    assert.deepEqual(
      [operation.security, operation['x-audience']],
      open ? [[], undefined] : [undefined, endpoint.audience],
    )
  }
})

// What is said of a field that has a value of another type: what the field wants, for every field of the contract.

// the auth protocol has its own errors, which name one field
const endpointsOfFields = contractEndpoints
  .map(definitionOf)
  .filter(({ path, requestType }) => !path.startsWith('/auth/') && requestType === undefined)

type Schema = {
  type?: string
  const?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}

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

/** Yields an input for every field below a schema and every wrong value: only what leads to the field, and its name. */
function* spoil(schema: Schema): Generator<{ field: string; input: unknown }> {
  for (const shape of schema.oneOf ?? schema.anyOf ?? []) yield* spoil(shape)
  const constants = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => ('const' in one ? [[name, one.const]] : [])),
  )
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    for (const value of wrongValues(one, name)) yield { field: name, input: { ...constants, [name]: value } }
    for (const { field, input } of spoil(one))
      yield { field: `${name}.${field}`, input: { ...constants, [name]: input } }
  }
  if (schema.items) {
    for (const value of wrongValues(schema.items)) yield { field: '0', input: [value] }
    for (const { field, input } of spoil(schema.items)) yield { field: `0.${field}`, input: [input] }
  }
}

test('every field of the contract says what it wants, when it has a value of another type', () => {
  let checked = 0
  for (const { method, path, input: type } of endpointsOfFields) {
    for (const { field, input } of spoil(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as Schema)) {
      const call = `${method} ${path} ${field} ${JSON.stringify(input)}`
      const parsed = parseFields(type, input)
      const error = 'fields' in parsed ? parsed.fields[field] : undefined
      assert.ok(error !== undefined, `${call} says nothing`)
      assert.ok(!['required', 'fields_missing', 'check'].includes(error.code), `${call}: ${error.code}`)
      assert.doesNotMatch(fieldText(error, 'en'), /\bundefined\b/, call)
      checked++
    }
  }
  assert.ok(checked > 300, String(checked))
})

test('a field that is missing is required, null is another type, and an id that is none says so', async () => {
  const user = await app.user()
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

type Description = { paths: Record<string, Record<string, { requestBody?: { content: object } }>> }
const FORM = 'application/x-www-form-urlencoded'
/** Everything that is no GET, as a page of another site can have it posted without asking: a form, or plain text. */
const CALLS = Object.entries((response.body as Description).paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'get')
    .map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '0'),
      type: requestBody && FORM in requestBody.content ? FORM : 'text/plain',
    })),
)
const call = ({ method, path, type }: (typeof CALLS)[number], headers: Record<string, string>) =>
  rawRequest(app.url, path, { method, headers: { 'content-type': type, ...headers }, body: '' })

/** What a browser says of a page of another site, now and before it knew of Fetch Metadata. */
const FOREIGN: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'http://shop.platenote.test' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
]
/** What it says of ours, and of what somebody did themself; other software says nothing. */
const OWN: Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin', origin: 'http://platenote.test' },
  { 'sec-fetch-site': 'same-site', origin: 'http://platenote.test' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://platenote.test' },
  {},
]
const ONE_CLICK = '/unsubscribe/0'

test('no page of another site makes its visitors’ browsers change something or send a mail', async () => {
  const taken: string[] = []
  for (const one of CALLS.filter(({ path }) => path !== ONE_CLICK))
    for (const headers of FOREIGN) {
      const { status, text } = await call(one, headers)
      if (status !== 403 || /"bad_jwt"/.test(text))
        taken.push(`${one.method} ${one.path} ${JSON.stringify(headers)}: ${status}`)
    }
  assert.deepEqual(taken, [])
  assert.ok(CALLS.length > 80, String(CALLS.length))
})

test('our pages and other software call, and mail programs unsubscribe from wherever they are', async () => {
  for (const headers of OWN) {
    const { status } = await app.visitor.post('/auth/v1/otp', { email: newEmail() }, headers)
    assert.equal(status, 200, JSON.stringify(headers))
  }
  const unsubscribe = CALLS.find(({ path }) => path === ONE_CLICK)!
  for (const headers of [...OWN, ...FOREIGN]) assert.equal((await call(unsubscribe, headers)).status, 404)
})
