import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { createAuthenticator } from '../auth/authenticate.ts'
import { newId } from '../db/ids.ts'
import { registerErrorHandler } from '../http/errors.ts'
import { encryptContent } from '../messages/message-encryption.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { exportRoute } from './export-account.ts'

/** An export that is larger than what lies between server and reader, so that a reader can make it wait. */
describe('an export while it is read', () => {
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
    const sealed = ids.map((id) => encryptContent(app.context.keyring, id, 'long '.repeat(400)).toString('hex'))
    await app.db`
      insert into messages (id, vehicle_id, sender_id, content_sealed)
      select id, ${vehicle.id}, ${writer.id}, decode(sealed, 'hex')
      from unnest(${ids}::uuid[], ${sealed}::text[]) as m (id, sealed)`
  })
  after(() => app.close())

  /** The route alone on a port, with shorter timeouts. */
  async function serve(t: TestContext, timeouts: Partial<Record<'totalMs' | 'idleMs' | 'sessionCheckMs', number>>) {
    const server = Fastify({ forceCloseConnections: 'idle' })
    server.decorateRequest('actor', null)
    server.decorate('authenticate', createAuthenticator(app.context).authenticate)
    registerErrorHandler(server)
    exportRoute(server, app.context, { totalMs: 60_000, idleMs: 60_000, sessionCheckMs: 60_000, ...timeouts })
    await server.listen({ host: '127.0.0.1', port: 0 })
    t.after(() => server.close())
    return { url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`, close: () => server.close() }
  }

  /** Begins a download and reads nothing of it yet. */
  async function begin(url: string, who: { token: string }) {
    const call = request(`${url}/api/export`, { headers: { authorization: `Bearer ${who.token}` }, agent: false })
    call.on('error', () => {}) // being cut off is what some tests are about
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return answer
  }
  /** Reads the rest: the text, and whether it came to its end. */
  async function rest(answer: IncomingMessage): Promise<{ text: string; whole: boolean }> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of answer) chunks.push(chunk as Buffer)
    } catch {
      // cut off
    }
    return { text: Buffer.concat(chunks).toString(), whole: answer.complete }
  }
  /** Once so many transactions are open; those of other work are over in a moment. */
  const transactions = (count: number) =>
    eventually(async () => {
      const open = await app.db`
        select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`
      return open.length === count ? true : undefined
    })

  test('is of the moment in which it began', async (t) => {
    const { url } = await serve(t, {})
    const answer = await begin(url, owner)
    assert.equal(answer.statusCode, 200)
    const late = await writer.post('/api/messages', { plate, content: 'after the beginning' })
    assert.equal(late.status, 201)
    await app.db`update messages set is_read = true`
    const { text, whole } = await rest(answer)
    assert.ok(whole)
    const body = JSON.parse(text)
    const messages: { id: string; is_read: boolean }[] = body.messages_received
    assert.equal(messages.length, MESSAGES)
    assert.ok(messages.every(({ id, is_read }) => id !== late.body.id && !is_read))
    await transactions(0)
  })

  test('is cut off when its reader stands still, and gives its connection back', async (t) => {
    const { url } = await serve(t, { idleMs: 300 })
    const answer = await begin(url, owner)
    await transactions(1)
    await transactions(0)
    const { text, whole } = await rest(answer)
    assert.equal(whole, false)
    assert.throws(() => JSON.parse(text))
    assert.equal((await owner.get('/api/export')).status, 200)
  })

  test('is cut off when it takes too long, also under a reader that goes on', async (t) => {
    const { url } = await serve(t, { totalMs: 200 })
    const answer = await begin(url, owner)
    await transactions(0)
    assert.equal((await rest(answer)).whole, false)
  })

  test('ends with its reader', async (t) => {
    const { url } = await serve(t, {})
    const answer = await begin(url, owner)
    await transactions(1)
    answer.destroy()
    await transactions(0)
    assert.equal((await rest(await begin(url, owner))).whole, true)
  })

  test('ends with its session', async (t) => {
    const { url } = await serve(t, { sessionCheckMs: 0 })
    const phone = await app.signIn(owner.email, owner.password)
    const answer = await begin(url, phone)
    assert.equal((await phone.post('/auth/v1/logout?scope=local')).status, 204)
    assert.equal((await rest(answer)).whole, false)
    await transactions(0)
  })

  test('is one at a time for a person, and leaves most connections to everybody else', async (t) => {
    const { url } = await serve(t, {})
    const [first, other] = [await begin(url, owner), await begin(url, writer)]
    const again = await begin(url, owner)
    assert.equal(again.statusCode, 429)
    assert.equal(JSON.parse((await rest(again)).text).code, 'too_many_requests')
    const third = await begin(url, await app.user())
    assert.equal(third.statusCode, 503)
    assert.equal(JSON.parse((await rest(third)).text).code, 'busy')
    for (const answer of [first, other]) answer.destroy()
    await transactions(0)
    assert.equal((await begin(url, await app.user())).statusCode, 200)
  })

  test('does not hold up a stop', async (t) => {
    const server = await serve(t, {})
    const answer = await begin(server.url, owner)
    await server.close()
    assert.equal((await rest(answer)).whole, false)
    await transactions(0)
  })

  test('does not keep an account from being deleted', async (t) => {
    const { url } = await serve(t, { sessionCheckMs: 0 })
    const answer = await begin(url, owner)
    assert.equal((await owner.post('/functions/v1/delete-user', { id: owner.id })).status, 200)
    assert.equal((await rest(answer)).whole, false)
    await transactions(0)
  })
})
