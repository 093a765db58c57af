import { refuse } from '../refusal.ts'
import { isUnavailable } from './pool.ts'

/** Calls that may wait: more than this is a database that no longer keeps up. */
const MAX_QUEUE_LENGTH = 2_000

/** The answer to an item that can only be decided after others of its batch: it goes first in the next one. */
export const DEFER_TO_NEXT_BATCH = Symbol('later')

/**
 * Lets concurrent calls share one statement (micro-batching): while a batch is in flight new calls queue, then go
 * together. No timer: a lone call runs at once. One batch is in flight at a time: two would be smaller, cost more each, and
 * were slower in all.
 *
 * @param run takes the items of a batch and answers in their order, the first never with `LATER`
 * @param maxBatchSize items of one batch
 * @returns a function that resolves with the answer to its own item. When a batch of several fails, each item is tried
 *   alone, so that one bad item fails nobody else; a lone item's failure is its caller's. Refuses with `busy` when too
 *   many wait already.
 */
export function createBatcher<Item, Answer>(
  run: (items: Item[]) => Promise<(Answer | typeof DEFER_TO_NEXT_BATCH)[]>,
  maxBatchSize: number,
): (item: Item) => Promise<Answer> {
  type Call = { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  let queue: Call[] = []
  let busy = false

  const runBatch = async (calls: Call[]) => {
    try {
      const answers = await run(calls.map((call) => call.item))
      const deferred: Call[] = []
      calls.forEach((call, i) => {
        const answer = answers[i]!
        if (answer === DEFER_TO_NEXT_BATCH) deferred.push(call)
        else call.resolve(answer)
      })
      queue = [...deferred, ...queue]
    } catch (error) {
      // a database that is away would fail each of them alone as well, one time-out after the other
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
      // in a microtask, so that calls of the same turn share the first batch too
      if (!busy) {
        busy = true
        queueMicrotask(() => void drain())
      }
    })
}
