import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'
import { createSlots } from './slots.ts'

/** Starts jobs that end when the test says so. */
function controllableJobs(maxRunning: number) {
  const run = createFairQueue(maxRunning)
  const started: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const add = (userId: string, name: string) =>
    run(userId, () => {
      started.push(name)
      return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }))
    })
  return { started, ends, add }
}
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('those who wait take turns by user', async () => {
  const { started, ends, add } = controllableJobs(1)
  const jobs = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'].map((name) => add(name[0]!, name))
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'c2', 'a4']
  for (const [i, name] of order.entries()) {
    await nextTick()
    assert.deepEqual(started, order.slice(0, i + 1))
    ends.get(name)!.resolve()
  }
  await Promise.all(jobs)
})

test('no more run than may, and a job that fails frees its slot for the next', async () => {
  const { started, ends, add } = controllableJobs(2)
  const [one, two, three, four] = ['a1', 'b1', 'c1', 'd1'].map((name) => add(name[0]!, name))
  await nextTick()
  assert.deepEqual(started, ['a1', 'b1'])
  ends.get('a1')!.reject(new Error('broken'))
  await assert.rejects(one!, /broken/)
  await nextTick()
  assert.deepEqual(started, ['a1', 'b1', 'c1'])
  for (const name of ['b1', 'c1']) ends.get(name)!.resolve()
  await nextTick()
  ends.get('d1')!.resolve()
  await Promise.all([two, three, four])
})

test('all users together have a limit, too', () => {
  const acquire = createSlots({ perUser: 1, total: 24 })
  const releases = Array.from({ length: 24 }, (_, i) => acquire(`user ${i}`))
  assert.throws(() => acquire('one more'), { code: 'busy' })
  for (const release of releases) release()
  acquire('one more')
})
