import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { type TestApp, type TestResponse, testApp } from '../test/app.ts'

const CONTRACT = join(import.meta.dirname, '../../../contract/src')

let app: TestApp
let response: TestResponse
before(async () => {
  app = await testApp()
  response = await app.visitor.get('/openapi.json')
})
after(() => app.close())

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

/** Yields every object in a tree of JSON. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const child of Object.values(value)) yield* objectsIn(child)
}

const pathOf = (endpoint: Endpoint) => endpoint.path.replace(/:(\w+)/g, '{$1}')

test('the document has the fields OpenAPI 3.1 requires', () => {
  const { body, headers } = response
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(body.openapi, /^3\.1\.\d+$/)
  assert.ok(body.info.title && body.info.version)
  assert.deepEqual(body.servers, [{ url: 'http://platenote.test' }])
  assert.equal(body.components.securitySchemes.bearer.scheme, 'bearer')
  assert.deepEqual(body.components.schemas.Error.properties.code.enum, Object.keys(ERRORS))
})

test('every endpoint of the contract is served and described, and no other', () => {
  const described = Object.entries<Record<string, unknown>>(response.body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.ok(contractEndpoints.length > 10)
  // `POST /send-email` is in the contract a second time, as the contact form uses it
  const calls = new Set(contractEndpoints.map((e) => `${e.method} ${pathOf(e)}`))
  assert.deepEqual(described.toSorted(), [...calls].toSorted())
})

test('docs/http-interface.md describes every endpoint of the contract', () => {
  const document = readFileSync(join(CONTRACT, '../../docs/http-interface.md'), 'utf8')
  // one row may be about several methods of a path: `GET`, `PATCH /api/preferences`
  const rows = document.split('\n').flatMap((line) => (line.startsWith('| `') ? line.split(' | ')[0]! : []))
  const isDescribed = ({ method, path }: Endpoint) =>
    rows.some((row) => row.includes(method) && new RegExp(`[ \`]${RegExp.escape(path)}\``).test(row))
  assert.deepEqual(
    contractEndpoints.filter((one) => !isDescribed(one)).map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

test('each operation has a summary, its success response, the error response and one parameter for each name in its path', () => {
  for (const endpoint of contractEndpoints) {
    const path = pathOf(endpoint)
    const operation = response.body.paths[path][endpoint.method.toLowerCase()]
    assert.ok(operation.summary, path)
    assert.deepEqual(Object.keys(operation.responses).sort(), [String(endpoint.status), 'default'], path)
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

test('a body is described by its fields and which of them are required', () => {
  const { schema } = response.body.paths['/api/messages'].post.requestBody.content['application/json']
  assert.deepEqual(Object.keys(schema.properties).sort(), [
    'attachment_id',
    'collision',
    'content',
    'plate',
    'province',
    'reason',
  ])
  assert.deepEqual(schema.required.toSorted(), ['content', 'plate'])
  assert.ok(schema.properties.province.enum.includes('Quebec'))
  assert.equal(response.body.paths['/api/messages/{id}'].patch.requestBody.required, true)
})

test('a body with several shapes is described by each of them', () => {
  const { required, content } = response.body.paths['/send-email'].post.requestBody
  assert.equal(required, true)
  const shapes: { properties: { type: { const: string } } }[] = content['application/json'].schema.oneOf
  assert.deepEqual(
    shapes.map(({ properties }) => properties.type.const),
    ['contact', 'message', 'reply', 'vehicle-approved', 'vehicle-rejected', 'vehicle-deleted'],
  )
})

test('every reference resolves', () => {
  let references = 0
  for (const { $ref } of objectsIn(response.body)) {
    if ($ref === undefined) continue
    references++
    assert.ok(typeof $ref === 'string' && $ref.startsWith('#/'))
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<Record<string, unknown> | undefined>(
        (at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')] as Record<string, unknown> | undefined,
        response.body,
      )
    assert.ok(target, $ref)
  }
  assert.ok(references > 0)
})
