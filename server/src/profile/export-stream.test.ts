import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { createAuthenticator } from '../auth/authenticate.ts'
import { newId } from '../db/ids.ts'
import { openPool } from '../db/pool.ts'
import { registerErrorHandler } from '../http/errors.ts'
import { encryptContent } from '../messages/message-encryption.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { startDatabaseProxy } from '../test/database-proxy.ts'
import { eventually } from '../test/eventually.ts'
import { exportRoute } from './export-account.ts'

const linkOf = (fd: string) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return '' // closed meanwhile
  }
}

/** An export larger than all buffers between server and client, so that a slow client makes it wait. */
describe('an export while it is downloaded', () => {
  let app: TestApp
  let owner: Person
  let writer: Person
  let plate: string
  const MESSAGES = 8_000
  before(async () => {
    app = await testApp()
    ;[owner, writer] = [await app.user(), await app.user()]
    const vehicle = await app.vehicle(owner)
    plate = vehicle.plate
    const ids = Array.from({ length: MESSAGES }, () => newId())
    const encrypted = ids.map((id) =>
      encryptContent(app.context.keyring, { id, vehicleId: vehicle.id }, { text: 'long '.repeat(400) }).toString('hex'),
    )
    await app.db`
      insert into messages (id, vehicle_id, addressed_to, plate, sender_id, content_encrypted)
      select id, ${vehicle.id}, ${vehicle.id}, ${plate}, ${writer.id}, decode(encrypted, 'hex')
      from unnest(${ids}::uuid[], ${encrypted}::text[]) as m (id, encrypted)`
  })
  after(() => app.close())

  /** Serves the route alone on a port, with these timeouts. */
  async function serve(
    t: TestContext,
    timeouts: Partial<Record<'writeMs' | 'totalMs' | 'idleMs' | 'sessionCheckMs', number>>,
    context = app.context,
  ) {
    const server = Fastify({ forceCloseConnections: 'idle' })
    server.decorateRequest('actor', null)
    server.decorate('authenticate', createAuthenticator(app.context).authenticate)
    registerErrorHandler(server)
    exportRoute(server, context, {
      writeMs: 60_000,
      totalMs: 60_000,
      idleMs: 60_000,
      sessionCheckMs: 60_000,
      ...timeouts,
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    t.after(() => server.close())
    return { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, close: () => server.close() }
  }

  /** Returns the files of exports that this process has open. */
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith(join(app.config.DATA_DIR, 'exports')))

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
  /** Waits until no transaction is open; those of other work end in a moment. */
  const untilNoTransaction = () =>
    eventually(async () => {
      const open = await app.db`
        select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
      return open.length === 0 ? true : undefined
    })
  /** Downloads the export of somebody whose last one may not have been given up yet. */
  const downloadAgain = (url: string, who: { token: string }) =>
    eventually(async () => {
      const response = await startDownload(url, who)
      if (response.statusCode === 200) return readRest(response)
      response.destroy()
      return undefined
    })

  test('shows the data as of the moment it started', async (t) => {
    const { url } = await serve(t, {})
    const response = await startDownload(url, owner)
    assert.equal(response.statusCode, 200)
    const late = await writer.post('/api/messages', { plate, content: 'after the start' })
    assert.equal(late.status, 201)
    await app.db`update messages set is_read = true`
    const { text, complete } = await readRest(response)
    assert.ok(complete)
    const body = JSON.parse(text)
    const messages: { id: string; is_read: boolean }[] = body.messages_received
    assert.equal(messages.length, MESSAGES)
    assert.ok(messages.every(({ id, is_read }) => id !== late.body.id && !is_read))
  })

  test('occupies no connection to the database, and its file has no name and reveals nothing', async (t) => {
    const { url } = await serve(t, {})
    const response = await startDownload(url, owner)
    await untilNoTransaction()
    assert.deepEqual(readdirSync(join(app.config.DATA_DIR, 'exports')), [])
    if (process.platform === 'linux') {
      const [file] = openFiles()
      const bytes = readFileSync(`/proc/self/fd/${file}`)
      assert.ok(bytes.length > 8_000_000 && !bytes.includes('long long') && !bytes.includes('platenote'))
    }
    assert.equal((await readRest(response)).complete, true)
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
    const { url } = await serve(t, { totalMs: 200 })
    const response = await startDownload(url, owner)
    assert.equal(response.statusCode, 200)
    try {
      // slower than it could, and never idle
      for await (const _ of response) await owner.get('/api/notifications/unread-count')
    } catch {
      // cut off
    }
    assert.equal(response.complete, false)
  })

  test('is refused when it takes too long to write', async (t) => {
    const { url } = await serve(t, { writeMs: 1 })
    const response = await startDownload(url, owner)
    assert.equal(response.statusCode, 503)
    assert.equal(JSON.parse((await readRest(response)).text).code, 'busy')
    await untilNoTransaction()
  })

  test('closes its file when the connection to the database is lost at the very end', {
    skip: process.platform !== 'linux' && 'reads /proc',
  }, async (t) => {
    const proxy = await startDatabaseProxy(app.database.connection)
    const db = openPool(proxy.connection, 1)
    t.after(async () => {
      await db.end({ timeout: 1 })
      proxy.close()
    })
    const { url } = await serve(t, {}, { ...app.context, db })
    proxy.closeAtNext('commit')
    const response = await startDownload(url, owner)
    assert.equal(response.statusCode, 503)
    await readRest(response)
    // a file that is left to the garbage collector ends the process
    await eventually(async () => (openFiles().length === 0 ? true : undefined))
    assert.equal((await downloadAgain(url, owner)).complete, true)
  })

  test('is cut off when its session ends', async (t) => {
    const { url } = await serve(t, { sessionCheckMs: 0 })
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

  test('does not delay a shutdown', async (t) => {
    const server = await serve(t, {})
    const response = await startDownload(server.url, owner)
    await server.close()
    assert.equal((await readRest(response)).complete, false)
  })
})
