import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from '../test/fields.ts'
import { createBatcher, DEFER_TO_NEXT_BATCH } from './batcher.ts'
import { ConnectionError } from './connection.ts'

/** Returns a statement that ends when the test says so. */
function controllableStatement() {
  const batches: { items: number[]; end: (results: number[]) => void; fail: (error: unknown) => void }[] = []
  const run = (items: number[]) =>
    new Promise<number[]>((end, fail) => {
      batches.push({ items, end, fail })
    })
  return { batches, run }
}
const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const doubled = ({ items }: { items: number[] }) => items.map((n) => n * 2)

test('an item that makes its batch fail is the only one to fail', async () => {
  const call = createBatcher(async (items: number[]) => {
    if (items.includes(3)) throw new Error('three')
    return items
  }, 10)
  const results = await Promise.allSettled([1, 2, 3, 4].map(call))
  assert.deepEqual(fieldsOf(results, 'status'), ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('an item that depends on others of its batch waits behind those that came meanwhile', async () => {
  const { batches, run } = controllableStatement()
  const call = createBatcher<number, number>(async (items) => {
    const results = await run(items)
    return items.map((n, i) => (i > 0 && n % 2 ? DEFER_TO_NEXT_BATCH : results[i]!))
  }, 4)
  const results = [1, 3, 4, 5].map(call)
  await nextTick()
  results.push(...[6, 8, 10].map(call))
  for (let i = 0; i < 4; i++) {
    batches[i]!.end(doubled(batches[i]!))
    await nextTick()
  }
  assert.deepEqual(fieldsOf(batches, 'items'), [[1, 3, 4, 5], [6, 8, 10, 3], [5, 3], [3]])
  assert.deepEqual(await Promise.all(results), [2, 6, 8, 10, 12, 16, 20])
})

test('the groups take turns, and one with many items has a few in each batch', async () => {
  const { batches, run } = controllableStatement()
  const call = createBatcher(run, 5, { maxPerGroup: 2, groupOf: (n) => `${Math.floor(n / 100)}` })
  const first = call(1)
  await nextTick()
  const many = [101, 102, 103, 104, 105].map(call)
  const others = [201, 301, 302, 401].map(call)
  for (let i = 0; i < 4; i++) {
    batches[i]!.end(doubled(batches[i]!))
    await nextTick()
  }
  assert.deepEqual(fieldsOf(batches, 'items'), [[1], [101, 201, 301, 401, 102], [103, 302, 104], [105]])
  await Promise.all([first, ...many, ...others])
})

test('an unreachable database fails the batch once, not item by item', async () => {
  let statements = 0
  const call = createBatcher(async () => {
    statements++
    throw new ConnectionError('CONNECTION_CLOSED', 'gone')
  }, 10)
  const results = await Promise.allSettled([1, 2, 3, 4].map(call))
  assert.ok(results.every((r) => r.status === 'rejected'))
  assert.equal(statements, 1)
})

test('a batch that gets no response holds up the next one for a second only, and may still end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { batches, run } = controllableStatement()
  const call = createBatcher<number, number>(
    run as (items: number[]) => Promise<(number | typeof DEFER_TO_NEXT_BATCH)[]>,
    10,
  )
  const results = [call(1), call(2)]
  await nextTick()
  results.push(call(3))
  t.mock.timers.tick(999)
  await nextTick()
  assert.equal(batches.length, 1)
  t.mock.timers.tick(1)
  await nextTick()
  assert.deepEqual(batches[1]?.items, [3])
  batches[1].end([6])
  assert.equal(await results[2], 6)
  batches[0]!.end([2, DEFER_TO_NEXT_BATCH as unknown as number])
  assert.equal(await results[0], 2)
  await nextTick()
  assert.deepEqual(batches[2]?.items, [2])
  batches[2].end([4])
  assert.equal(await results[1], 4)
})

test('when too many calls wait, the next one is refused instead of queued', async () => {
  const { batches, run } = controllableStatement()
  const call = createBatcher(run, 10)
  const waiting = Array.from({ length: 2_000 }, (_, i) => call(i))
  await nextTick()
  const more = Array.from({ length: 20 }, (_, i) => call(i))
  const refused = (await Promise.allSettled(more.slice(10))).filter((r) => r.status === 'rejected')
  assert.equal(refused.length, 10)
  assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'busy')
  for (let i = 0; i < 201; i++) {
    batches[i]!.end(batches[i]!.items)
    await nextTick()
  }
  await Promise.all([...waiting, ...more.slice(0, 10)])
})
