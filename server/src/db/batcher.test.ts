import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher, DEFER_TO_NEXT_BATCH } from './batcher.ts'

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

test('calls of one tick, and those made while a batch is in flight, share a statement', async () => {
  const { batches, run } = controllableStatement()
  const call = createBatcher(run, 10)
  const results = [1, 2].map(call)
  await nextTick()
  results.push(...[3, 4, 5].map(call))
  await nextTick()
  assert.deepEqual(
    batches.map((b) => b.items),
    [[1, 2]],
  )
  batches[0]!.end(doubled(batches[0]!))
  await nextTick()
  assert.deepEqual(
    batches.map((b) => b.items),
    [
      [1, 2],
      [3, 4, 5],
    ],
  )
  batches[1]!.end(doubled(batches[1]!))
  assert.deepEqual(await Promise.all(results), [2, 4, 6, 8, 10])
})

test('a batch has no more items than its maximum', async () => {
  const { batches, run } = controllableStatement()
  const call = createBatcher(run, 2)
  const first = call(1)
  await nextTick()
  const results = [first, ...[2, 3, 4, 5].map(call)]
  for (let i = 0; i < 3; i++) {
    batches[i]!.end(doubled(batches[i]!))
    await nextTick()
  }
  assert.deepEqual(
    batches.map((b) => b.items),
    [[1], [2, 3], [4, 5]],
  )
  assert.deepEqual(await Promise.all(results), [2, 4, 6, 8, 10])
})

test('an item that makes its batch fail is the only one to fail', async () => {
  const call = createBatcher(async (items: number[]) => {
    if (items.includes(3)) throw new Error('three')
    return items
  }, 10)
  const results = await Promise.allSettled([1, 2, 3, 4].map(call))
  assert.deepEqual(
    results.map((r) => r.status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test('an item that depends on others of its batch comes first in the next one', async () => {
  const batches: number[][] = []
  const call = createBatcher(async (items: number[]) => {
    batches.push(items)
    return items.map((n, i) => (i > 0 && n % 2 ? DEFER_TO_NEXT_BATCH : n * 2))
  }, 4)
  assert.deepEqual(await Promise.all([1, 3, 4, 5, 6].map(call)), [2, 6, 8, 10, 12])
  assert.deepEqual(batches, [[1, 3, 4, 5], [3, 5, 6], [5]])
})

test('an unreachable database fails the batch once, not item by item', async () => {
  let statements = 0
  const call = createBatcher(async () => {
    statements++
    throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
  }, 10)
  const results = await Promise.allSettled([1, 2, 3, 4].map(call))
  assert.ok(results.every((r) => r.status === 'rejected'))
  assert.equal(statements, 1)
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
