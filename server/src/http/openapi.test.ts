import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '#contract/endpoint.ts'
import { type TestApp, type TestResponse, testApp } from '../test/app.ts'
import { recordRoutes } from '../test/matrix/routes.ts'
import { definitionOf } from './route.ts'

const CONTRACT = join(import.meta.dirname, '../../../contract/src')

let app: TestApp
let routes: string[]
let response: TestResponse
before(async () => {
  const recorded = await recordRoutes(() => testApp())
  app = recorded.built
  routes = recorded.routes
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

test('the auth protocol is described with its own errors, and with what a POST takes in its query', () => {
  const { post } = response.body.paths['/auth/v1/token']
  assert.deepEqual(
    post.parameters.map(({ name, in: where, required }: { name: string; in: string; required: boolean }) => ({
      name,
      where,
      required,
    })),
    [{ name: 'grant_type', where: 'query', required: true }],
  )
  const { schema } = post.responses.default.content['application/json']
  assert.equal(schema.$ref, '#/components/schemas/AuthError')
  assert.equal(response.body.paths['/auth/v1/admin/users/{id}'].delete['x-audience'], 'service')
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
