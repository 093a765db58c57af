import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from './test/closing.ts'
import { createTestDatabase, openTestPool } from './test/database.ts'
import { eventually } from './test/eventually.ts'
import { AWS_VARIABLES } from './test/fake-s3.ts'
import { fieldsOf } from './test/fields.ts'
import { findFreePort } from './test/free-port.ts'
import { postJson, signUpOverHttp } from './test/post-json.ts'
import { startProduct } from './test/product.ts'
import { startHoldingInbox } from './test/smtp-inbox.ts'
import { SECOND_MS } from './time.ts'

/** After 30 s a process ends itself, with status 1. */
const STOP_TIMEOUT_MS = 27 * SECOND_MS

/** Starts a server that accepts connections and says nothing, as a bucket that hangs. */
async function startSilentServer(t: TestContext) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}).resume()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    sockets.forEach((socket) => void socket.destroy())
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => sockets.size }
}

test('a slow upload and a bucket that hangs do not keep a stop from ending the workers, nor from its end', async (t) => {
  const database = await createTestDatabase()
  const dataDir = temporaryFolder('platenote-stop-')
  const db = openTestPool(database.connection, 1)
  t.after(async () => {
    await db.end()
    await database.drop()
  })
  const bucket = await startSilentServer(t)
  const inbox = await startHoldingInbox(t)
  const start = async (role: string) => {
    const port = await findFreePort()
    const product = await startProduct({
      ...AWS_VARIABLES,
      PORT: String(port),
      ROLE: role,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      STORAGE_URL: `s3://photos?endpoint=${bucket.url}`,
      SMTP_URL: inbox.url,
      AUTH_AUTOCONFIRM: 'true',
    })
    t.after(() => product.stop('SIGKILL'))
    return { ...product, url: `http://127.0.0.1:${port}`, port }
  }
  const [stopped, other] = [await start('all'), await start('web')]
  const [owner, sender] = [
    await signUpOverHttp(other.url, 'owner@example.com'),
    await signUpOverHttp(other.url, 'sender@example.com'),
  ]
  const details = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  const register = (plate: string, token: string) =>
    postJson(`${other.url}/register-plate`, { plate, ...details }, { token })
  await register('OWNER1', owner)
  await register('SENDER1', sender)

  // the journal of deletions goes into the bucket
  await db`delete from vehicles where user_id = (select id from auth.users where email = 'sender@example.com')`
  await eventually(async () => (bucket.connections() > 0 ? true : undefined))
  const upload = connect(stopped.port, '127.0.0.1').on('error', () => {})
  t.after(() => void upload.destroy())
  upload.write(
    `POST /api/attachments HTTP/1.1\r\nHost: localhost\r\nauthorization: Bearer ${sender}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n--b\r\n',
  )
  const send = (plate: string, token: string) =>
    postJson(`${other.url}/api/messages`, { plate, content: 'Your lights are on' }, { token, key: crypto.randomUUID() })
  assert.equal((await send('OWNER1', sender)).status, 201)
  await eventually(async () => (inbox.arrived.length === 1 ? true : undefined))

  const startedAt = performance.now()
  stopped.child.kill('SIGTERM')
  await eventually(async () => (stopped.err().includes('"stopping"') ? true : undefined))
  await register('SENDER2', sender)
  assert.equal((await send('SENDER2', owner)).status, 201)
  inbox.release()
  const [code] = await stopped.ended
  const tookMs = performance.now() - startedAt
  t.diagnostic(`${Math.round(tookMs)} ms`)
  assert.equal(code, 0, stopped.err())
  assert.ok(tookMs < STOP_TIMEOUT_MS, `${tookMs} ms`)
  assert.deepEqual(inbox.arrived, ['owner@example.com'])
  const mails = await db<{ is_sent: boolean; attempts: number }[]>`
    select sent_at is not null as is_sent, attempts from outbox order by id`
  assert.deepEqual(fieldsOf(mails, 'is_sent', 'attempts'), [
    [true, 1],
    [false, 0],
  ])
  const processes = await db<{ role: string }[]>`select role from processes`
  assert.deepEqual(fieldsOf(processes, 'role'), ['web'])
})
