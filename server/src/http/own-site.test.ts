import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newEmail, testApp } from '../test/app.ts'
import { rawRequest } from '../test/raw-request.ts'

const app = await testApp()

type Description = { paths: Record<string, Record<string, { requestBody?: { content: object } }>> }
const { body } = (await app.visitor.get('/openapi.json')) as { body: Description }
const FORM = 'application/x-www-form-urlencoded'
/** Everything that is no GET, as a page of another site can have it posted without asking: a form, or plain text. */
const CALLS = Object.entries(body.paths).flatMap(([path, methods]) =>
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
