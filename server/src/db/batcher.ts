/**
 * Lets concurrent calls share one statement (micro-batching): while a batch is in flight new calls queue, then go
 * together. No timer: a lone call runs at once. Few batches in flight make batches large and commits few.
 *
 * @param run takes the items of a batch and answers in their order
 * @param most items of one batch
 * @param lanes batches in flight at a time
 * @returns a function that resolves with the answer to its own item. When a batch of several fails, each item is tried
 *   alone, so that one bad item fails nobody else; a lone item's failure is its caller's.
 */
export function batcher<Item, Answer>(
  run: (items: Item[]) => Promise<Answer[]>,
  most: number,
  lanes = 1,
): (item: Item) => Promise<Answer> {
  type Call = { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  let waiting: Call[] = []
  let running = 0

  const settle = async (calls: Call[]) => {
    try {
      const answers = await run(calls.map((call) => call.item))
      calls.forEach((call, i) => {
        call.resolve(answers[i]!)
      })
    } catch (error) {
      if (calls.length === 1) calls[0]!.reject(error)
      else for (const call of calls) await settle([call])
    }
  }

  const drain = async () => {
    while (waiting.length > 0) {
      const calls = waiting.slice(0, most)
      waiting = waiting.slice(most)
      await settle(calls)
    }
    running--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // in a microtask, so that calls of the same turn share the first batch too
      if (running < lanes) {
        running++
        queueMicrotask(() => void drain())
      }
    })
}
