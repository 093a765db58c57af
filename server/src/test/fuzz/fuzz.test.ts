import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES } from '#contract/product.ts'
import { createLogger } from '../../log/logger.ts'
import { SERVICE_ROLE_KEY, type TestApp, testApp } from '../app.ts'
import { registerPlate } from '../disputes.ts'
import { eventually } from '../eventually.ts'
import { recordRoutes } from '../matrix/routes.ts'
import { runsAll } from '../runs-all.ts'
import { startSiblingServer } from '../sibling-server.ts'
import { writeWebBuild } from '../web-build.ts'
import { createCast, INBOUND_MAIL_SECRET, SERVICE_KEY } from './cast.ts'
import { describeRequest, encodeRequest, type FuzzRequest, type FuzzResponse, sendBytes } from './request.ts'
import { makeRequestArbitrary, type OpenApi } from './requests.ts'

// npm test always sends the same requests; FUZZ_REQUESTS and FUZZ_SEED send more, or others.
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? (runsAll ? 10_000 : 1_000))
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
/** Requests for which one cast lives: requests delete accounts, vehicles and sessions. */
const REQUESTS_PER_CAST = 250

let app: TestApp
let server: { url: string; close: () => Promise<void> }
let routes: string[]
let openApi: OpenApi
const loggedErrors: string[] = []
const build = writeWebBuild(
  LOCALES.flatMap((locale) => [paths.contact(), paths.contactSent()].map((path) => localizedPath(path, locale))),
)

before(async () => {
  app = await testApp({
    settings: { SERVICE_KEY, SERVICE_ROLE_KEY, INBOUND_ADDRESS: 'documents@in.platenote.test', INBOUND_MAIL_SECRET },
  })
  const log = createLogger('error', { write: (line) => void loggedErrors.push(line) })
  const recorded = await recordRoutes(() => startSiblingServer({ ...app.context, log }, build.root))
  server = recorded.built
  // what no route serves is a page, a file or unknown
  routes = [...recorded.routes, 'GET /contact-us', 'GET /fr/*', 'GET /assets/*', 'GET /*', 'POST /*']
  openApi = (await app.visitor.get('/openapi.json')).body
})
after(async () => {
  await server.close()
  await app.close()
  build.remove()
})

/** Throws unless the response is one that any request may get. */
function checkResponse(request: FuzzRequest, { status, head, body }: FuzzResponse, isMalformed: boolean) {
  const isOverload = status === 503 && /^retry-after: \d+\r?$/im.test(head)
  if (status >= 500 && !isOverload) throw new Error(`${status}: ${body.slice(0, 500)}`)
  if (status === 0 && !isMalformed) throw new Error('closed without a response')
  if (loggedErrors.length > 0) throw new Error(`logged: ${loggedErrors.splice(0).join('')}`)
  const isRefusal =
    status >= 400 && request.target.startsWith('/api/') && /^content-type: application\/json/im.test(head)
  if (isRefusal && request.method !== 'HEAD' && !body.includes('"error"'))
    throw new Error(`a refusal without a text: ${body}`)
}

test(`${REQUESTS} requests of any kind to every route: no unexpected error, no hang, no crash (seed ${SEED})`, {
  timeout: 60_000 + REQUESTS * 150,
}, async (t) => {
  const port = Number(new URL(server.url).port)
  const asked = new Set<string>()
  const succeeded = new Set<string>()
  const statuses = new Map<number, number>()
  /** The last requests, the latest first: what one does wrong may be noticed during the next. */
  const last: FuzzRequest[] = []
  const send = async (request: FuzzRequest) => {
    last.unshift(request)
    last.length = Math.min(last.length, 3)
    const { bytes, isMalformed } = encodeRequest(request)
    const response = await sendBytes(port, bytes, isMalformed)
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    checkResponse(request, response, isMalformed)
    return response
  }

  // most routes of the auth protocol only say that their method is not allowed
  const plain = { who: 'visitor', headers: [], body: Buffer.alloc(0), framing: 'whole' as const }
  const rare: string[] = []
  for (const route of routes) {
    const [method = '', target = ''] = route.split(' ')
    const { status } = await sendBytes(port, encodeRequest({ ...plain, route, method, target }).bytes, false)
    if (status === 405 || method === 'OPTIONS') rare.push(route)
  }
  const common = routes.filter((route) => !rare.includes(route))

  for (let sent = 0; sent < REQUESTS; sent += REQUESTS_PER_CAST) {
    // routes nobody has asked yet are asked more often, so that a sample asks all of them
    const left = common.filter((route) => !asked.has(route))
    const drawn = [...common, ...Array.from({ length: 10 }, () => left).flat()]
    const arbitrary = makeRequestArbitrary({ common: drawn, rare }, openApi, await createCast(app))
    const property = fc.asyncProperty(arbitrary, async (request) => {
      asked.add(request.route)
      const { status } = await send(request)
      if (status >= 200 && status < 400) succeeded.add(request.route)
    })
    const numRuns = Math.min(REQUESTS_PER_CAST, REQUESTS - sent)
    const outcome = await fc.check(property, { numRuns, seed: SEED + sent, endOnFailure: true })
    if (!outcome.failed) continue
    const error = outcome.errorInstance instanceof Error ? outcome.errorInstance.message : String(outcome.errorInstance)
    const requests = last.map(describeRequest).join('\n\n')
    assert.fail(
      `${error}\n\n${requests}\n\nFUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS} npm run node -- --test server/src/test/fuzz/fuzz.test.ts`,
    )
  }

  const listed = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  t.diagnostic(`${asked.size} routes, ${succeeded.size} of them with success; ${listed.join(', ')}`)
  if (REQUESTS >= 1_000)
    assert.deepEqual(
      common.filter((route) => !asked.has(route)),
      [],
    )
})

test('after all of that the server does what it is for, and no email is stuck', async () => {
  const [owner, sender] = [await app.user(), await app.user()]
  assert.equal((await registerPlate(owner, 'FUZZED1')).status, 200)
  assert.equal((await sender.post('/api/messages', { plate: 'FUZZED1', content: 'Hello' })).status, 201)
  await eventually(async () => (await app.mails(owner.email)).length > 0 || undefined)
  const stuck = await app.db`
    select kind, last_error, count(*)::int as count from outbox where last_error is not null group by kind, last_error`
  assert.deepEqual([...stuck], [])
})
