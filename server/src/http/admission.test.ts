import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Pool } from '../db/pool.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { openTestPool } from '../test/database.ts'
import { eventually } from '../test/eventually.ts'
import { holdLocks } from '../test/locks.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { createPlaces } from './admission.ts'

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
  /** Takes the only place, after a quiet night. `pass` lets so many calls come, and so many end, every 50 ms. */
  const startLine = (t: TestContext) => {
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const places = createPlaces(1, 60_000)
    places.take()
    places.release()
    now += 8 * 3_600_000
    assert.ok(places.take())
    const pass = (forMs: number, arrivals: number, endings: number) => {
      for (const until = now + forMs; now < until; now += 50) {
        for (let i = 0; i < arrivals; i++) void places.wait(false)
        for (let i = 0; i < endings; i++) places.release()
      }
    }
    return { places, pass }
  }

  test('that does not become shorter is an overload after half a second', (t) => {
    const { places, pass } = startLine(t)
    pass(300, 2, 1)
    assert.ok(!places.isOverloaded())
    pass(300, 2, 1)
    assert.ok(places.isOverloaded())
    // until the line is empty
    pass(250, 0, 1)
    assert.ok(places.isOverloaded())
    while (places.taken > 0) places.release()
    assert.ok(!places.isOverloaded())
  })

  test('of a stall in whose course a few calls end is one once everybody in it had their turn', (t) => {
    const { places, pass } = startLine(t)
    pass(1_000, 2, 0)
    pass(1_200, 1, 1)
    assert.ok(!places.isOverloaded())
    pass(900, 1, 1)
    assert.ok(places.isOverloaded())
  })

  test('that became shorter after a stall is none', (t) => {
    const { places, pass } = startLine(t)
    pass(1_000, 2, 0)
    pass(1_200, 1, 1)
    pass(1_500, 2, 3)
    assert.ok(!places.isOverloaded())
  })
})
