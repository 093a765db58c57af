import { refuse } from '../refusal.ts'
import { isUnavailable } from './pool.ts'

/** The calls that may wait; with more of them the database no longer keeps up. */
const MAX_QUEUE_LENGTH = 2_000

/** The result of an item that can only be decided after others of its batch: it is put at the front of the next one. */
export const DEFER_TO_NEXT_BATCH = Symbol('later')

/**
 * Lets concurrent calls share one statement (micro-batching): while a batch is in flight, new calls queue and then form the
 * next one. There is no timer, so a lone call runs immediately. One batch is in flight at a time: two would be smaller and
 * cost more each, and were slower overall.
 *
 * @param run takes the items of a batch and returns their results in order, the first never `DEFER_TO_NEXT_BATCH`
 * @param maxBatchSize the maximum of items in a batch
 * @returns a function that resolves with the result of its own item. When a batch of several items fails, each is retried
 *   alone, so that one bad item fails no other; a lone item's error is thrown to its caller. Refuses with `busy` when too
 *   many calls wait already.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(Result | typeof DEFER_TO_NEXT_BATCH)[]>,
  maxBatchSize: number,
): (item: Item) => Promise<Result> {
  type Call = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let queue: Call[] = []
  let busy = false

  const runBatch = async (calls: Call[]) => {
    try {
      const results = await run(calls.map((call) => call.item))
      const deferred: Call[] = []
      calls.forEach((call, i) => {
        const result = results[i]!
        if (result === DEFER_TO_NEXT_BATCH) deferred.push(call)
        else call.resolve(result)
      })
      queue = [...deferred, ...queue]
    } catch (error) {
      // an unreachable database would fail each of them alone as well, one timeout after the other
      if (calls.length === 1 || isUnavailable(error)) for (const call of calls) call.reject(error)
      else for (const call of calls) await runBatch([call])
    }
  }

  const drain = async () => {
    while (queue.length > 0) {
      const calls = queue.slice(0, maxBatchSize)
      queue = queue.slice(maxBatchSize)
      await runBatch(calls)
    }
    busy = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= MAX_QUEUE_LENGTH) refuse('busy', { retryAfterS: 2 })
      queue.push({ item, resolve, reject })
      // in a microtask, so that calls of the same tick share the first batch too
      if (!busy) {
        busy = true
        queueMicrotask(() => void drain())
      }
    })
}
