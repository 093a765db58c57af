import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What became of requests that came evenly, whether or not those before them had been answered. */
export type OpenLoopResult = {
  offered: number
  /** Answered as expected, and their latencies from the moment they were due. */
  servedMs: number[]
  /** Refused with 429 or 503: when they were due, from the beginning, and their latencies. */
  refused: { dueMs: number; tookMs: number }[]
  /** Answered otherwise, not at all, or not begun because no connection was free. */
  failed: Map<string, number>
  seconds: number
  /** How late this process itself was (p99): what a request or a response waited for it is part of every latency. */
  ownLagMs: number
}

type OpenLoop = {
  port: number
  perSecond: number
  seconds: number
  maxConnections: number
  /** Returns the bytes of one request. */
  request: () => Buffer
}

const DRAIN_MS = 10_000
/**
 * This process sleeps so long between its looks at the clock and the sockets. To be woken by every response would cost it and the
 * server more than all else it does for the request, on processors that it shares with the server. A latency contains the wait.
 */
const TURN_MS = 1
const LAG_RESOLUTION_MS = 5
const NANOSECONDS_PER_MS = 1e6
const READ_BYTES = 8 * 1024

const neverChanges = new Int32Array(new SharedArrayBuffer(4))
/** Reads what has come, then sleeps with everything that happens on this thread. */
async function sleepAfterReading() {
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(neverChanges, 0, 0, TURN_MS)
}

/**
 * Sends requests at an even pace over keep-alive connections, of which more are opened as they are needed, up to a maximum. A
 * latency counts from the moment a request was due, however late this process wrote it.
 */
export async function runOpenLoop({
  port,
  perSecond,
  seconds,
  maxConnections,
  request,
}: OpenLoop): Promise<OpenLoopResult> {
  const servedMs: number[] = []
  const refused: OpenLoopResult['refused'] = []
  const failed = new Map<string, number>()
  const fail = (what: string) => failed.set(what, (failed.get(what) ?? 0) + 1)
  type Connection = { send(bytes: Buffer, dueAt: number): void; close(): void }
  const free: Connection[] = []
  const all = new Set<Connection>()
  let inFlight = 0

  const open = (): Connection => {
    let waitsSince: number | undefined
    let rest = ''
    const onRead = (size: number, buffer: Uint8Array) => {
      const received = rest + (buffer as Buffer).toString('latin1', 0, size)
      const head = received.indexOf('\r\n\r\n')
      const length = head < 0 ? 0 : Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0)
      if (head < 0 || received.length < head + 4 + length) {
        rest = received
        return true
      }
      rest = ''
      const status = Number(received.slice(9, 12))
      const dueAt = waitsSince!
      const tookMs = performance.now() - dueAt
      waitsSince = undefined
      inFlight--
      if (status < 300) servedMs.push(tookMs)
      else if (status === 429 || status === 503) refused.push({ dueMs: dueAt - started, tookMs })
      else fail(String(status))
      free.push(connection)
      return true
    }
    // one buffer for each connection: a new one for each response would cost more than to read it
    const onread = { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: onRead }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
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
    return connection
  }

  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  const started = performance.now()
  let offered = 0
  for (let elapsed = 0; elapsed < seconds * 1000; ) {
    await sleepAfterReading()
    elapsed = performance.now() - started
    const due = Math.floor((Math.min(elapsed, seconds * 1000) / 1000) * perSecond)
    for (; offered < due; offered++) {
      const connection = free.pop() ?? (all.size < maxConnections ? open() : undefined)
      if (connection) connection.send(request(), started + ((offered + 1) / perSecond) * 1000)
      else fail('no connection was free')
    }
  }
  const took = (performance.now() - started) / 1000
  lag.disable()
  const ownLagMs = Math.max(0, lag.percentile(99) / NANOSECONDS_PER_MS - LAG_RESOLUTION_MS)
  const until = performance.now() + DRAIN_MS
  while (inFlight > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  if (inFlight > 0) failed.set('no answer', inFlight)
  for (const connection of all) connection.close()
  return { offered, servedMs, refused, failed, seconds: took, ownLagMs }
}
