import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What became of requests that came evenly, whether or not those before them had been answered. */
export type OpenLoopResult = {
  offered: number
  /** Answered as expected, and their latencies from the moment they were due. */
  servedMs: number[]
  /** Refused with 429 or 503, and their latencies. */
  refusedMs: number[]
  /** Answered otherwise, not at all, or not begun because no connection was free. */
  failed: Map<string, number>
  seconds: number
  /** How late this process itself was (p99): what a request or an answer waited for it is part of every latency. */
  ownLagMs: number
}

const DRAIN_MS = 10_000
const TICK_MS = 5
const NANOSECONDS_PER_MS = 1e6

/**
 * Sends requests at an even pace over keep-alive connections, of which more are opened as they are needed, up to a maximum. A
 * latency counts from the moment a request was due, however late this process wrote it.
 */
export async function runOpenLoop(
  port: number,
  { perSecond, seconds, maxConnections }: { perSecond: number; seconds: number; maxConnections: number },
  request: () => Buffer,
  expectedStatus: (status: number) => boolean,
): Promise<OpenLoopResult> {
  const servedMs: number[] = []
  const refusedMs: number[] = []
  const failed = new Map<string, number>()
  const fail = (what: string) => failed.set(what, (failed.get(what) ?? 0) + 1)
  type Connection = { send(bytes: Buffer, dueAt: number): void; close(): void }
  const free: Connection[] = []
  const all = new Set<Connection>()
  let inFlight = 0

  const open = (): Connection => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let waitsSince: number | undefined
    let rest: Buffer = Buffer.alloc(0)
    const connection: Connection = {
      send(bytes, dueAt) {
        waitsSince = dueAt
        inFlight++
        socket.write(bytes)
      },
      close: () => socket.destroy(),
    }
    all.add(connection)
    socket.on('error', () => {})
    socket.on('close', () => {
      all.delete(connection)
      const index = free.indexOf(connection)
      if (index >= 0) free.splice(index, 1)
      if (waitsSince === undefined) return
      inFlight--
      fail('connection closed without an answer')
    })
    socket.on('data', (chunk: Buffer) => {
      const received = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const head = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, Math.max(0, head)))?.[1] ?? 0)
      if (head < 0 || received.length < head + 4 + length) {
        rest = received
        return
      }
      rest = Buffer.alloc(0)
      const status = Number(received.toString('latin1', 9, 12))
      const tookMs = performance.now() - waitsSince!
      waitsSince = undefined
      inFlight--
      if (expectedStatus(status)) servedMs.push(tookMs)
      else if (status === 429 || status === 503) refusedMs.push(tookMs)
      else fail(String(status))
      free.push(connection)
    })
    return connection
  }

  const lag = monitorEventLoopDelay({ resolution: TICK_MS })
  lag.enable()
  const started = performance.now()
  let offered = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - started
      const due = Math.floor((Math.min(elapsed, seconds * 1000) / 1000) * perSecond)
      for (; offered < due; offered++) {
        const connection = free.pop() ?? (all.size < maxConnections ? open() : undefined)
        if (connection) connection.send(request(), started + ((offered + 1) / perSecond) * 1000)
        else fail('no connection was free')
      }
      if (elapsed < seconds * 1000) return
      clearInterval(timer)
      resolve()
    }, TICK_MS)
  })
  const took = (performance.now() - started) / 1000
  lag.disable()
  const ownLagMs = Math.max(0, lag.percentile(99) / NANOSECONDS_PER_MS - TICK_MS)
  const until = performance.now() + DRAIN_MS
  while (inFlight > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  if (inFlight > 0) failed.set('no answer', inFlight)
  for (const connection of all) connection.close()
  return { offered, servedMs, refusedMs, failed, seconds: took, ownLagMs }
}
