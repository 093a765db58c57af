import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLogger } from '../log/logger.ts'
import {
  LEASE_HOLDERS_FIRST_MS,
  type LeaseQueue,
  type LeaseRenewal,
  RENEW_INTERVAL_MS,
  startLeaseWorker,
} from './lease-worker.ts'

const NEVER_MS = 3_600_000

/** A queue in memory. `reads` holds the limit of every read. */
function createQueue(items: string[], options: Partial<LeaseQueue<string>> = {}) {
  const reads: number[] = []
  const queue: LeaseQueue<string> = {
    pollMs: NEVER_MS,
    async lease(limit) {
      reads.push(limit)
      const leases = items.splice(0, limit)
      return { leases, mayHaveMore: leases.length === limit }
    },
    ...options,
  }
  return { items, queue, reads }
}

/** A worker under a mocked clock. Each lease ends when the test ends it. */
function startTestWorker(
  t: TestContext,
  queues: LeaseQueue<string>[],
  options: { maxInFlight?: number; wakeDelayMs?: number; stopTimeoutMs?: number; renewal?: LeaseRenewal<string> } = {},
) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const logged: string[] = []
  const log = createLogger('warn', {
    write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg),
  })
  const inFlight = new Map<string, () => void>()
  const worker = startLeaseWorker<string>(log, {
    work: 'letters',
    source: 'the pile',
    queues,
    handle: (lease) => new Promise((resolve) => inFlight.set(lease, resolve)),
    maxInFlight: 4,
    stopTimeoutMs: 1_000,
    ...options,
  })
  return {
    worker,
    logged,
    inFlight: () => [...inFlight.keys()],
    async end(lease: string) {
      inFlight.get(lease)?.()
      inFlight.delete(lease)
      await settle()
    },
    /** Lets this time pass, and the rounds that begin in it. */
    async pass(ms: number) {
      t.mock.timers.tick(ms)
      await settle()
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a queue that cannot be read is logged once a round, and read again at the next poll', async (t) => {
  const broken = createQueue([], { lease: () => Promise.reject(new Error('secret words')) })
  const { items, queue } = createQueue([], { pollMs: 1_000 })
  const { logged, inFlight, pass } = startTestWorker(t, [broken.queue, queue])
  await pass(1)
  assert.deepEqual(logged, ['the pile could not be read'])
  broken.queue.lease = async () => ({ leases: [], mayHaveMore: false })
  items.push('a')
  await pass(1_000)
  assert.deepEqual(inFlight(), ['a'])
})

test('leases of work that takes long are renewed until it ends, and no others', async (t) => {
  const { items, queue } = createQueue(['slow', 'quick'])
  const renewed: string[][] = []
  const renewal = { renew: async (leases: string[]) => void renewed.push(leases), ping: async () => {} }
  const { worker, end, pass } = startTestWorker(t, [queue], { renewal, stopTimeoutMs: NEVER_MS })
  await pass(1)
  await pass(RENEW_INTERVAL_MS)
  await end('quick')
  items.push('new')
  worker.wake()
  await pass(1)
  await pass(RENEW_INTERVAL_MS)
  await pass(RENEW_INTERVAL_MS)
  await end('slow')
  void worker.stop()
  await pass(RENEW_INTERVAL_MS) // what is in flight at a stop, too
  await end('new')
  await pass(RENEW_INTERVAL_MS)
  assert.deepEqual(renewed, [['slow'], ['slow', 'new'], ['new']])
})

test('when the database is back the holders of leases go first', async (t) => {
  const { items, queue, reads } = createQueue([], { pollMs: 1_000 })
  let isAway = true
  const check = async () => {
    if (isAway) throw new Error('away')
  }
  const { lease } = queue
  queue.lease = (limit) => check().then(() => lease(limit))
  const { logged, inFlight, pass } = startTestWorker(t, [queue], { renewal: { renew: check, ping: check } })
  for (let i = 0; i < 3; i++) await pass(1_000)
  assert.equal(logged.length, 3)
  isAway = false
  items.push('a')
  await pass(1_000)
  await pass(LEASE_HOLDERS_FIRST_MS - 1)
  assert.deepEqual([inFlight(), reads], [[], []])
  await pass(1)
  await pass(1)
  assert.deepEqual([inFlight(), logged.length], [['a'], 3])
})

test('the holders go first also when all slots were taken while the database was away, so that no queue was read', async (t) => {
  const { items, queue } = createQueue(['a', 'b', 'c', 'd'], { pollMs: 1_000 })
  let isAway = false
  const check = async () => {
    if (isAway) throw new Error('away')
  }
  const { inFlight, end, pass } = startTestWorker(t, [queue], { renewal: { renew: check, ping: check } })
  await pass(1)
  isAway = true
  for (let i = 0; i < 10; i++) await pass(1_000)
  isAway = false
  items.push('b', 'c', 'd') // whose leases have expired, and whose ends are recorded a moment later
  await end('a')
  await pass(1)
  assert.deepEqual(
    [inFlight(), items],
    [
      ['b', 'c', 'd'],
      ['b', 'c', 'd'],
    ],
  )
  await pass(LEASE_HOLDERS_FIRST_MS)
  await pass(1)
  assert.deepEqual(items, ['c', 'd'])
})
