import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseDatabaseUrl } from '../../server/src/db/database-url.ts'
import { busiestSecond, type ProxyMode, startDatabaseProxy } from '../../server/src/test/database-proxy.ts'
import { formatDatabaseUrl } from '../../server/src/test/database-url.ts'
import { openStream } from '../../server/src/test/event-stream.ts'
import { eventually } from '../../server/src/test/eventually.ts'
import { postJson, signUpOverHttp } from '../../server/src/test/post-json.ts'
import { openDatabase, startDatabase, startMember } from '../installation.ts'
import { auditSends } from './audit.ts'
import { sendUntilAcknowledged, startClients } from './senders.ts'

const ROUNDS = 200
const CLIENTS = 12
const SENDS_BETWEEN_FAULTS = 50
/** How soon after the database's return sends work again. */
const MAX_RETURN_MS = 2_000
const MAX_CONNECTIONS_PER_SECOND = 64
/** A stream reads what it has missed at the next heartbeat. */
const MAX_SILENCE_MS = 20_000
const CAR = { plate: 'FAULTS', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }

type Proxy = Awaited<ReturnType<typeof startDatabaseProxy>>
type Fault = (proxy: Proxy) => unknown

const repeatedly = async (times: number, pauseMs: number, act: () => void) => {
  for (let i = 0; i < times; i++) {
    act()
    await delay(Math.random() * pauseMs)
  }
}
/** Breaks the way to the database for a moment, and does something to what was open before it is whole again. */
const during =
  (mode: ProxyMode, atEnd: Fault = () => {}): Fault =>
  async (proxy) => {
    await proxy.setMode(mode)
    await delay(50 + Math.random() * 450)
    atEnd(proxy)
    await proxy.setMode('forward')
  }
const FAULTS: [name: string, fault: Fault][] = [
  ['closed', (proxy) => proxy.closeAll()],
  ['closed again and again', (proxy) => repeatedly(10, 60, () => proxy.closeAll())],
  ['accepted and closed', during('close')],
  ['refused', during('refuse')],
  ['frozen', during('freeze')],
  ['frozen and replaced', during('freeze', (proxy) => proxy.abandonOpen())],
  ['frozen and closed', during('freeze', (proxy) => proxy.closeAll())],
  [
    'cut in the middle of a message',
    (proxy) => repeatedly(4, 40, () => proxy.cutNextAfter(1 + Math.floor(Math.random() * 400))),
  ],
]

test(`${ROUNDS} faults of the way to the database end no process and lose nothing acknowledged`, async (t) => {
  await using database = await startDatabase()
  await using db = openDatabase(database.url)
  const proxy = await startDatabaseProxy(parseDatabaseUrl(database.url))
  t.after(() => proxy.close())
  const env = { ...database.env, DATABASE_URL: formatDatabaseUrl(proxy.connection) }
  // one that people send through, and one that also works off the outbox
  await using web = await startMember('web', env)
  await using other = await startMember('all', env)
  const owner = await signUpOverHttp(web.url, 'owner@example.com')
  assert.equal((await postJson(`${web.url}/register-plate`, CAR, { token: owner })).body['status'], 'registered')
  const stream = await openStream(other.url, owner)
  const { token, acknowledged, counts, whileSending } = await startClients([web.url], () => CAR.plate, CLIENTS, 0)

  /** Returns how long it takes until one of the sends that begin now, or later, is acknowledged. */
  const sends: Promise<void>[] = []
  const sendAgain = async (): Promise<number> => {
    const since = performance.now()
    const begun: Promise<true>[] = []
    let isDone: true | undefined
    while (!isDone) {
      const send = sendUntilAcknowledged([web.url], token, CAR.plate, acknowledged, counts)
      sends.push(send)
      begun.push(send.then(() => true))
      isDone = await Promise.race([...begun, delay(100, undefined)])
    }
    return performance.now() - since
  }

  const returns: number[] = []
  await whileSending(async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const goal = acknowledged.size + SENDS_BETWEEN_FAULTS
      await eventually(async () => (acknowledged.size >= goal ? true : undefined))
      const [name, fault] = FAULTS[round % FAULTS.length]!
      await fault(proxy)
      const returnMs = await sendAgain()
      assert.ok(web.isRunning() && other.isRunning(), `round ${round + 1}, ${name}: a process ended`)
      assert.ok(returnMs < MAX_RETURN_MS, `round ${round + 1}, ${name}: sends work after ${Math.round(returnMs)} ms`)
      returns.push(returnMs)
    }
  })
  await Promise.all(sends)
  const median = returns.toSorted((a, b) => a - b)[ROUNDS >> 1]!
  t.diagnostic(
    `${acknowledged.size} acknowledged of ${counts.tries}; sends are back after ${Math.round(median)} ms (median)`,
  )

  const { lost, unacknowledged, underAnotherKey, notOneNotification, strayNotifications } = await auditSends(
    db,
    acknowledged,
    undefined,
    0,
  )
  const mails = await db`select from outbox where kind = 'message'`
  assert.deepEqual(
    { lost, unacknowledged, underAnotherKey, notOneNotification, strayNotifications, mails: mails.length },
    {
      ...{ lost: 0, unacknowledged: 0, underAnotherKey: 0, notOneNotification: 0, strayNotifications: 0 },
      mails: acknowledged.size,
    },
  )
  assert.ok(busiestSecond(proxy.accepted) <= MAX_CONNECTIONS_PER_SECOND, 'connections are paced')
  // the stream of the other process has read whatever hints it missed, and its own hints work again
  const [{ last } = { last: 0 }] = await db<{ last: number }[]>`select max(number)::int as last from notifications`
  await eventually(async () => stream.events('notification').find(({ id }) => Number(id) === last), MAX_SILENCE_MS)
  assert.equal(new Set(stream.events('notification').map(({ id }) => id)).size, last)
  await stream.close()
})
