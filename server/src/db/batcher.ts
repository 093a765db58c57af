import { refuse } from '../refusal.ts'
import { isUnavailable } from './pool.ts'

/** The calls that may wait; with more of them the database no longer keeps up. */
const MAX_QUEUE_LENGTH = 2_000

/** A batch that has had no response for so long may be on a frozen connection: the next one does not wait for it. */
const STALLED_AFTER_MS = 1_000

/** Resolves when the batch has ended, or has taken so long that others need not wait for it. */
async function endedOrStalled(batch: Promise<void>): Promise<void> {
  const { promise: stalled, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, STALLED_AFTER_MS)
  await Promise.race([batch, stalled])
  clearTimeout(timer)
}

/** The result of an item that can only be decided after others of its batch: it waits again, behind its group's others. */
export const DEFER_TO_NEXT_BATCH = Symbol('later')

type Shares<Item> = {
  /** Names the group of an item. The groups take turns, so that one with many items delays no other. */
  groupOf: (item: Item) => string
  /** The maximum of items of one group in a batch. */
  maxPerGroup: number
}

const ONE_QUEUE: Shares<unknown> = { groupOf: () => '', maxPerGroup: Infinity }

/**
 * Lets concurrent calls share one statement (micro-batching): while a batch is in flight, new calls queue and then form the
 * next one. A lone call runs immediately. One batch is in flight at a time, unless it stalls: two are smaller and cost more
 * each, which only pays where the database has processors to spare.
 *
 * @param run takes the items of a batch and returns their results in order. An item may be deferred any number of times, but
 *   the first of a batch only for a reason that passes: nothing else may be waiting.
 * @param maxBatchSize the maximum of items in a batch
 * @param shares divides the batches among groups of items; without it, who came first is served first
 * @param maxInFlight the maximum of batches in flight at a time
 * @returns a function that resolves with the result of its own item. When a batch of several items fails, each is retried
 *   alone, so that one bad item fails no other; a lone item's error is thrown to its caller. Refuses with `busy` when too
 *   many calls wait already.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(Result | typeof DEFER_TO_NEXT_BATCH)[]>,
  maxBatchSize: number,
  { groupOf, maxPerGroup }: Shares<Item> = ONE_QUEUE,
  maxInFlight = 1,
): (item: Item) => Promise<Result> {
  type Call = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  // in the order in which their turns come; none is empty
  const queues = new Map<string, Call[]>()
  let waiting = 0
  let inFlight = 0

  const enqueue = (call: Call) => {
    const group = groupOf(call.item)
    const queue = queues.get(group)
    if (queue) queue.push(call)
    else queues.set(group, [call])
    waiting++
  }

  /** Takes one item of each group in turn, then a second one, and so on; who was served goes behind everybody else. */
  const takeBatch = (): Call[] => {
    const calls: Call[] = []
    for (let turn = 0, before = -1; turn < maxPerGroup && calls.length > before; turn++) {
      before = calls.length
      for (const queue of queues.values()) {
        if (calls.length === maxBatchSize) break
        const call = queue[turn]
        if (call) calls.push(call)
      }
    }
    for (const [group, taken] of Map.groupBy(calls, ({ item }) => groupOf(item))) {
      const rest = queues.get(group)!.slice(taken.length)
      queues.delete(group)
      if (rest.length > 0) queues.set(group, rest)
    }
    waiting -= calls.length
    return calls
  }

  const runBatch = async (calls: Call[]) => {
    try {
      const results = await run(calls.map((call) => call.item))
      calls.forEach((call, i) => {
        const result = results[i]!
        if (result === DEFER_TO_NEXT_BATCH) enqueue(call)
        else call.resolve(result)
      })
      if (results.includes(DEFER_TO_NEXT_BATCH)) start() // a batch that stalled may end when nothing else is in flight
    } catch (error) {
      // an unreachable database would fail each of them alone as well, one timeout after the other
      if (calls.length === 1 || isUnavailable(error)) for (const call of calls) call.reject(error)
      else for (const call of calls) await runBatch([call])
    }
  }

  const drain = async () => {
    while (waiting > 0) await endedOrStalled(runBatch(takeBatch()))
    inFlight--
  }

  const start = () => {
    if (inFlight === maxInFlight) return
    inFlight++
    // in a microtask, so that calls of the same tick share the first batch too
    queueMicrotask(() => void drain())
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting >= MAX_QUEUE_LENGTH) refuse('busy', { retryAfterS: 2 })
      enqueue({ item, resolve, reject })
      start()
    })
}
