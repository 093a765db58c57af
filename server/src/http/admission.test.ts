import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { Pool } from '../db/pool.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openTestPool } from '../test/database.ts'
import { openStream } from '../test/event-stream.ts'
import { eventually } from '../test/eventually.ts'
import { holdLocks } from '../test/locks.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { createPlaces } from './admission.ts'
import { startMetricsServer } from './metrics.ts'

const MAX_CALLS = 12

/** A process has so many places for calls at a time (decision overload-protection). Counted in calls that wait for a lock, not in time. */
describe('calls in progress', () => {
  let app: TestApp
  let locks: Pool
  let server: Awaited<ReturnType<typeof startSiblingServer>>
  let people: Person[]
  before(async () => {
    app = await testApp({ settings: { DATABASE_POOL: '40' } })
    locks = openTestPool(app.database.connection, 2)
    people = await Promise.all(Array.from({ length: 3 }, () => app.user()))
    const config = { ...app.config, LIMIT_SCALE: 1, MAX_CONCURRENT_CALLS: MAX_CALLS }
    server = await startSiblingServer({ ...app.context, config, patienceMs: undefined })
  })
  after(() => locks.end())

  /** Locks a table. Returns how to let go of it, which happens at the end of the test at the latest. */
  const hold = (t: TestContext, table: 'vehicles' | 'notifications' | 'auth.sessions') =>
    holdLocks(t, locks, (connection) => connection.unsafe(`lock table ${table} in access exclusive mode`))
  /** Holds up the work of every call. */
  const holdVehicles = (t: TestContext) => hold(t, 'vehicles')
  /** Holds up every check of a token. */
  const holdSessions = (t: TestContext) => hold(t, 'auth.sessions')
  type Where = { signal?: AbortSignal | undefined; url?: string; path?: string }
  const call = async (person: Person, { signal, url = server.url, path = '/api/vehicles' }: Where = {}) => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${person.token}` },
      ...(signal && { signal }),
    })
    const { code } = (await response.json()) as { code?: string }
    return `${response.status} ${code ?? ''} ${response.headers.get('retry-after') ?? ''}`.trim()
  }
  /** Begins calls one after the other; returns how many of them wait, and what the others were answered. */
  const begin = async (person: Person, count: number, signal?: AbortSignal) => {
    const held: Promise<string>[] = []
    const answered: string[] = []
    for (let i = 0; i < count; i++) {
      const before = server.workInProgress('calls')
      const answer = call(person, { signal })
      let isAnswered = false
      const settle = () => {
        isAnswered = true
      }
      answer.then(settle, settle)
      const first = await eventually(async () => {
        if (isAnswered) return answer
        return server.workInProgress('calls') > before ? 'waits' : undefined
      })
      if (first === 'waits') held.push(answer)
      else answered.push(first)
    }
    return { held, answered }
  }

  /** Begins sends of which the server has the head and the first byte of the body. */
  const openSlowBodies = async (t: TestContext, person: Person, count: number, body: string): Promise<Socket[]> => {
    const port = Number(new URL(server.url).port)
    const head = `POST /api/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.token}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`
    const sockets: Socket[] = []
    t.after(() => sockets.forEach((socket) => void socket.destroy()))
    for (let i = 0; i < count; i++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      socket.write(head)
      const [answer] = await once(socket, 'data')
      assert.match(String(answer), /^HTTP\/1\.1 100 /)
      socket.write(body.slice(0, 1))
    }
    return sockets
  }

  test('one person has a share of what is left, and beyond the places of all a call waits a moment, and is refused', async (t) => {
    const letGo = await holdVehicles(t)
    const greedy = await begin(people[0]!, 10)
    assert.equal(greedy.held.length, 8)
    assert.deepEqual(greedy.answered, ['429 too_many_requests 1', '429 too_many_requests 1'])
    const other = await begin(people[1]!, 6)
    assert.equal(other.held.length, MAX_CALLS - 8)
    assert.deepEqual(other.answered, ['503 busy 1', '503 busy 1'])
    // other work goes on
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    assert.equal((await fetch(`${server.url}/auth/v1/user`)).status, 401)
    const stream = await openStream(server.url, people[2]!.token)
    await stream.next(({ event }) => event === 'unread')
    await stream.close()
    await letGo()
    assert.deepEqual(new Set(await Promise.all([...greedy.held, ...other.held])), new Set(['200']))
    assert.equal(await call(people[2]!), '200')
  })

  /** Starts a server with one place, which a call of the first person has until `letGo`. */
  const startWithOnePlace = async (t: TestContext) => {
    const config = { ...app.config, MAX_CONCURRENT_CALLS: 1 }
    const small = await startSiblingServer({ ...app.context, config })
    t.after(() => small.close())
    const letGo = await holdVehicles(t)
    const held = call(people[0]!, { url: small.url })
    await eventually(async () => (small.workInProgress('calls') === 1 ? true : undefined))
    return { small, held, letGo }
  }
  const WAITING_PER_PLACE = 64
  /** Begins calls of others, one of which is refused at once: the others wait. */
  const beginBurst = async (where: Where) => {
    const calls = Array.from({ length: WAITING_PER_PLACE + 1 }, (_, i) => call(people[1 + (i % 2)]!, where))
    assert.equal(await Promise.race(calls), '503 busy 1')
    return calls
  }

  test('while the database stalls calls wait for places, so many for each', async (t) => {
    const { small, held, letGo } = await startWithOnePlace(t)
    const calls = await beginBurst({ url: small.url })
    await letGo()
    const answers = await Promise.all([held, ...calls])
    assert.deepEqual(answers.sort(), [...Array(WAITING_PER_PLACE + 1).fill('200'), '503 busy 1'])
    assert.equal(small.workInProgress('calls'), 0)
  })

  test('a refused call leaves its connection to the next one, whatever became of its body, and is counted', async (t) => {
    const { small, held, letGo } = await startWithOnePlace(t)
    const metrics = await startMetricsServer(small.app, '127.0.0.1', 0, async () => new Registry())
    t.after(() => metrics.close())
    const calls = await beginBurst({ url: small.url })
    const post = (headers: string) => `POST /api/messages HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`
    const large = 'x'.repeat(900_000)
    const get = 'GET /api/vehicles HTTP/1.1\r\nhost: x\r\n\r\n'
    for (const [first = '', rest = ''] of [
      [`${post('content-length: 2')}{}`],
      [`${post('content-length: 2')}{}${get}`], // pipelined
      [post('content-length: 900000') + large.slice(0, 5), large.slice(5)],
      [`${post('transfer-encoding: chunked')}2\r\n{}\r\n`, '0\r\n\r\n'],
    ]) {
      const socket = connect(Number(new URL(small.url).port), '127.0.0.1')
      socket.once('readable', () =>
        socket.write(`${rest}GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
      )
      socket.write(first)
      const responses = (await text(socket)).split(/(?=HTTP\/1\.1 \d)/)
      assert.deepEqual(
        responses.map((response) => response.slice(9, 12)),
        first.endsWith(get) ? ['503', '503', '200'] : ['503', '200'],
      )
    }
    const counts = await (await fetch(`http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`)).text()
    assert.match(counts, /^platenote_work_refused_total\{class="calls",status="503"\} 6$/m)
    await letGo()
    await Promise.all([held, ...calls])
  })

  test('a call whose client leaves while it waits takes no place', async (t) => {
    const { small, held, letGo } = await startWithOnePlace(t)
    // whichever of them began would wait
    const letNotificationsGo = await hold(t, 'notifications')
    const control = new AbortController()
    const calls = await beginBurst({ url: small.url, path: '/api/notifications', signal: control.signal })
    control.abort()
    await Promise.allSettled(calls)
    await fetch(`${small.url}/healthz`) // the server has heard of it once it answers what came after
    await letGo()
    assert.equal(await held, '200')
    await eventually(async () => (small.workInProgress('calls') === 0 ? true : undefined))
    await letNotificationsGo()
    assert.equal(await call(people[1]!, { url: small.url }), '200')
  })

  test('a call keeps its place until its work is done, also when its client has left', async (t) => {
    const letGo = await holdVehicles(t)
    const control = new AbortController()
    const { held } = await begin(people[0]!, 3, control.signal)
    control.abort()
    await Promise.allSettled(held)
    assert.equal(server.workInProgress('calls'), 3)
    await letGo()
    await eventually(async () => (server.workInProgress('calls') === 0 ? true : undefined))
  })

  /** Begins calls whose clients leave while their tokens are checked. */
  const beginAndLeave = async (person: Person, count: number) => {
    const control = new AbortController()
    const { held, answered } = await begin(person, count, control.signal)
    assert.deepEqual(answered, [])
    control.abort()
    await Promise.allSettled(held)
    await eventually(async () => (server.workInProgress('calls') === 0 ? true : undefined))
  }

  test('an export whose client has left before its first byte ends', async (t) => {
    const letGo = await holdVehicles(t)
    const control = new AbortController()
    const left = call(people[0]!, { path: '/api/export', signal: control.signal })
    await eventually(async () => (server.workInProgress('export') === 1 ? true : undefined))
    control.abort()
    await assert.rejects(left)
    await letGo()
    await eventually(async () => (server.workInProgress('export') === 0 ? true : undefined))
  })

  test('calls of clients that have left begin no more work than the share of their caller', async (t) => {
    const letSessionsGo = await holdSessions(t)
    for (let reload = 0; reload < 3; reload++) await beginAndLeave(people[0]!, 8)
    const letGo = await holdVehicles(t)
    await letSessionsGo()
    await eventually(async () => (server.workInProgress('calls') >= 8 ? true : undefined))
    // behind the calls that have left
    assert.deepEqual(await begin(people[0]!, 1), { held: [], answered: ['429 too_many_requests 1'] })
    assert.equal(server.workInProgress('calls'), 8)
    await letGo()
    await eventually(async () => (server.workInProgress('calls') === 0 ? true : undefined))
  })

  test('a body that arrives slowly takes no place', async (t) => {
    const sockets = await openSlowBodies(t, people[0]!, 8, ' '.repeat(100))
    // all of them have come, and wait for the rest of their bodies
    await eventually(async () => (server.workInProgress('calls') === 0 ? true : undefined))
    // they use up the share of this person, and nothing of anybody else's
    const letGo = await holdVehicles(t)
    const { held } = await begin(people[1]!, MAX_CALLS - 4)
    assert.equal(held.length, MAX_CALLS - 4)
    assert.deepEqual(await begin(people[0]!, 1), { held: [], answered: ['429 too_many_requests 1'] })
    assert.equal(server.workInProgress('calls'), MAX_CALLS - 4)
    await letGo()
    await Promise.all(held)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => ((await call(people[0]!)) === '200' ? true : undefined))
  })

  test('a call whose body is complete when all places are taken is refused too', async (t) => {
    const body = JSON.stringify({ plate: 'NOBODY1', content: 'Your lights are on.' })
    const sockets = await openSlowBodies(t, people[0]!, 4, body)
    await eventually(async () => (server.workInProgress('calls') === 0 ? true : undefined))
    const letGo = await holdVehicles(t)
    const held = [...(await begin(people[1]!, 8)).held, ...(await begin(people[2]!, MAX_CALLS - 8)).held]
    assert.equal(held.length, MAX_CALLS)
    const answers = sockets.map(async (socket) => {
      socket.write(body.slice(1))
      const [answer] = await once(socket, 'data')
      return String(answer)
    })
    for (const answer of await Promise.all(answers)) {
      assert.match(answer, /^HTTP\/1\.1 503 [\s\S]*"code":"busy"/)
      assert.match(answer, /\r\nretry-after: 1\r\n/i)
    }
    assert.equal(server.workInProgress('calls'), MAX_CALLS)
    await letGo()
    assert.deepEqual(new Set(await Promise.all(held)), new Set(['200']))
    assert.equal(server.workInProgress('calls'), 0)
    // whoever was refused has their share again
    const letGoAgain = await holdVehicles(t)
    const again = await begin(people[0]!, 8)
    assert.deepEqual(again.answered, [])
    await letGoAgain()
    await Promise.all(again.held)
  })
})

describe('a line', () => {
  /**
   * Takes all places, after a quiet night. `pass` lets so many calls come every so often, and as many of those in progress end, the
   * oldest first but for those that are stuck.
   */
  const startLine = (t: TestContext, { max = 1, waitMs = 60_000 } = {}) => {
    let now = 8 * 3_600_000
    t.mock.method(performance, 'now', () => now)
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const places = createPlaces(max, waitMs)
    const inProgress = Array.from({ length: max }, () => places.take()!)
    assert.equal(places.take(), null)
    const come = () => void places.wait(false).then((place) => place && inProgress.push(place))
    const end = async (stuck = 0) => {
      places.release(inProgress.splice(stuck, 1)[0]!)
      await setImmediate() // whoever waited has the place
    }
    const pass = async (forMs: number, arrivals: number, endings: number, { stuck = 0, everyMs = 50 } = {}) => {
      for (const until = now + forMs; now < until; now += everyMs) {
        for (let i = 0; i < arrivals; i++) come()
        for (let i = 0; i < endings; i++) await end(stuck)
      }
    }
    return { places, come, end, pass }
  }

  test('to which more than twice as many come as end is an overload, until it is empty', async (t) => {
    const { places, come, end, pass } = startLine(t)
    await pass(800, 3, 1)
    assert.ok(!places.isOverloaded())
    await pass(100, 3, 1)
    assert.ok(places.isOverloaded())
    await pass(1_500, 0, 1)
    assert.ok(places.isOverloaded())
    while (places.taken > 0) await end()
    assert.ok(places.take())
    come()
    assert.ok(!places.isOverloaded())
  })

  test('of a burst is none, nor one to which twice as many come as end', async (t) => {
    const { places, pass } = startLine(t)
    await pass(50, 30, 1)
    await pass(1_200, 2, 1)
    assert.ok(!places.isOverloaded())
  })

  test('that is full is an overload once calls end, and not while the database stalls', async (t) => {
    const { places, pass } = startLine(t)
    await pass(1_000, 4, 0)
    assert.ok(places.isOverloaded())
    await pass(500, 0, 1)
    assert.ok(!places.isOverloaded())
    await pass(2_000, 2, 1)
    await pass(500, 0, 1)
    assert.ok(places.isOverloaded())
  })

  test('of a stall in which calls end in some of the places is none, nor while it is worked off', async (t) => {
    const { places, pass } = startLine(t, { max: 32 })
    await pass(2_000, 40, 2, { stuck: 30 })
    assert.ok(!places.isOverloaded())
    await pass(800, 40, 15)
    await pass(800, 40, 40)
    assert.ok(!places.isOverloaded())
  })

  test('of calls that are slow for longer than a stall is judged too', async (t) => {
    const { places, pass } = startLine(t)
    await pass(2_500, 3, 1, { everyMs: 500 })
    assert.ok(!places.isOverloaded())
    await pass(2_500, 3, 1, { everyMs: 500 })
    assert.ok(places.isOverloaded())
  })

  test('that is full while a few calls never end is an overload too', async (t) => {
    const { places, pass } = startLine(t, { max: 32 })
    await pass(6_000, 40, 20, { stuck: 3 })
    await pass(200, 0, 20, { stuck: 3 })
    assert.ok(places.isOverloaded())
  })

  test('in which one waited in vain takes nobody until a call ends, and then few until it is empty', async (t) => {
    const { places, come, end } = startLine(t, { waitMs: 100 })
    come()
    t.mock.timers.tick(60)
    come()
    assert.ok(!places.isOverloaded())
    t.mock.timers.tick(60)
    assert.ok(places.isOverloaded())
    await end()
    assert.ok(!places.isOverloaded())
    come()
    come()
    assert.ok(places.isOverloaded())
    while (places.taken > 0) await end()
    assert.ok(places.take())
    come()
    assert.ok(!places.isOverloaded())
  })
})
