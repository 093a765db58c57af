import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { createAuthenticator } from '../auth/authenticate.ts'
import { newId } from '../db/ids.ts'
import { registerErrorHandler } from '../http/errors.ts'
import { encryptContent } from '../messages/message-encryption.ts'
import { testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { exportRoute } from './export-account.ts'

const MESSAGES = 8_000
const app = await testApp()
const [owner, writer] = [await app.user(), await app.user()]
const vehicle = await app.vehicle(owner)
const ids = Array.from({ length: MESSAGES }, () => newId())
const encrypted = ids.map((id) =>
  encryptContent(app.context.keyring, { id, vehicleId: vehicle.id }, { text: 'long '.repeat(400) }).toString('hex'),
)
await app.db`
  insert into messages (id, vehicle_id, addressed_to, plate, sender_id, content_encrypted)
  select id, ${vehicle.id}, ${vehicle.id}, ${vehicle.plate}, ${writer.id}, decode(encrypted, 'hex')
  from unnest(${ids}::uuid[], ${encrypted}::text[]) as m (id, encrypted)`

/** An export larger than all buffers between server and client, so that a slow client makes it wait. */
describe('an export while it is downloaded', () => {
  /** Serves the route alone on a port, with these timeouts. */
  async function serve(t: TestContext, timeouts: Partial<Record<'totalMs' | 'idleMs', number>>) {
    const server = Fastify({ forceCloseConnections: 'idle' })
    server.decorateRequest('actor', null)
    server.decorate('authenticate', createAuthenticator(app.context).authenticate)
    registerErrorHandler(server)
    exportRoute(server, app.context, { totalMs: 60_000, idleMs: 60_000, ...timeouts })
    await server.listen({ host: '127.0.0.1', port: 0 })
    t.after(() => server.close())
    return { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, close: () => server.close() }
  }

  /** Starts a download without reading it yet. */
  async function startDownload(url: string, who: { token: string }) {
    const call = request(`${url}/api/export`, { headers: { authorization: `Bearer ${who.token}` }, agent: false })
    call.on('error', () => {}) // some tests expect to be cut off
    call.end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return response
  }
  /** Reads the rest of a download: the text, and whether it is complete. */
  async function readRest(response: IncomingMessage): Promise<{ text: string; complete: boolean }> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer)
    } catch {
      // cut off
    }
    return { text: Buffer.concat(chunks).toString(), complete: response.complete }
  }
  /** Downloads the export of somebody whose last one may not have been given up yet. */
  const downloadAgain = (url: string, who: { token: string }) =>
    eventually(async () => {
      const response = await startDownload(url, who)
      if (response.statusCode === 200) return readRest(response)
      response.destroy()
      return undefined
    })

  test('is cut off when its client stalls', async (t) => {
    const { url } = await serve(t, { idleMs: 2_000 })
    const response = await startDownload(url, owner)
    // the server has given it up when the next one may begin, which is read without such a pause, also on a busy machine
    assert.equal((await downloadAgain(url, owner)).complete, true)
    const { text, complete } = await readRest(response)
    assert.equal(complete, false)
    assert.throws(() => JSON.parse(text))
  })

  test('is cut off when it takes too long, also if its client keeps reading', async (t) => {
    const { url } = await serve(t, { totalMs: 1_000 })
    const response = await startDownload(url, owner)
    assert.equal(response.statusCode, 200)
    try {
      // slower than it could, and never idle
      for await (const _ of response) for (let i = 0; i < 3; i++) await owner.get('/api/notifications/unread-count')
    } catch {
      // cut off
    }
    assert.equal(response.complete, false)
  })

  test('is cut off when its session ends', async (t) => {
    const { url } = await serve(t, {})
    const phone = await app.signIn(owner.email, owner.password)
    const response = await startDownload(url, phone)
    assert.equal((await phone.post('/auth/v1/logout?scope=local')).status, 204)
    assert.equal((await readRest(response)).complete, false)
  })

  test('is limited to one at a time per person, and patient readers keep nobody else waiting', async (t) => {
    const { url } = await serve(t, {})
    const patient = [await startDownload(url, owner), await startDownload(url, writer)]
    const again = await startDownload(url, owner)
    assert.equal(again.statusCode, 429)
    assert.equal(JSON.parse((await readRest(again)).text).code, 'too_many_requests')
    for (let i = 0; i < 3; i++) {
      const response = await startDownload(url, await app.user())
      assert.equal(response.statusCode, 200)
      assert.equal((await readRest(response)).complete, true)
    }
    for (const response of patient) assert.equal((await readRest(response)).complete, true)
  })

  test('is refused with 503, and as no download, while nothing of it was sent', async (t) => {
    const { url } = await serve(t, { totalMs: 1 })
    const response = await startDownload(url, owner)
    assert.deepEqual(
      [response.statusCode, response.headers['retry-after'], response.headers['content-disposition']],
      [503, '10', undefined],
    )
    assert.equal(JSON.parse((await readRest(response)).text).code, 'busy')
  })

  test('does not delay a shutdown', async (t) => {
    const server = await serve(t, {})
    const response = await startDownload(server.url, owner)
    await server.close()
    assert.equal((await readRest(response)).complete, false)
  })
})
