import { connect } from 'node:net'

/** The result of a run; `unexpected` has the first few responses with another status than the expected one. */
export type LoadResult = { requests: number; seconds: number; p50Ms: number; p99Ms: number; unexpected: string[] }

/**
 * Runs a closed-loop load over keep-alive connections: each sends its next request when its response has come. Uses plain
 * sockets, because a full HTTP client would take more processor time than the server it measures.
 *
 * @param request returns the bytes of one request
 * @param expectedStatus the status every response must have, or which it may have; others are reported as unexpected
 * @param perSecond instead of a closed loop: this many requests a second in all, evenly, as long as a connection is free.
 *   A latency then counts from the moment the request was due, so that a server that stalls cannot hide it
 */
export async function runLoad(
  target: { host: string; port: number },
  connections: number,
  seconds: number,
  request: () => Buffer,
  expectedStatus: number | ((status: number) => boolean),
  perSecond?: number,
): Promise<LoadResult> {
  const isExpected = typeof expectedStatus === 'number' ? (status: number) => status === expectedStatus : expectedStatus
  const latencies: number[] = []
  const unexpected: string[] = []
  const started = performance.now()
  const until = started + seconds * 1000

  let due = started
  /** Returns when the next request is due: now, or at the even pace. */
  const nextDue = () => {
    if (perSecond === undefined) return performance.now()
    due += 1000 / perSecond
    return due
  }

  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(target)
      socket.setNoDelay(true)
      let rest: Buffer = Buffer.alloc(0)
      let sentAt = 0
      const next = () => {
        sentAt = nextDue()
        if (sentAt >= until) {
          socket.end()
          resolve()
          return
        }
        const early = sentAt - performance.now()
        const write = () => {
          // a timer that fired late in this process is not the server's delay
          if (early > 0) sentAt = performance.now()
          socket.write(request())
        }
        if (early > 0) setTimeout(write, early)
        else write()
      }
      socket.on('connect', next)
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        const received = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
        const head = received.indexOf('\r\n\r\n')
        const lengthAt = received.indexOf('content-length: ')
        const length = lengthAt < 0 ? 0 : Number.parseInt(received.toString('latin1', lengthAt + 16, lengthAt + 24), 10)
        if (head < 0 || received.length < head + 4 + length) {
          rest = received
          return
        }
        rest = Buffer.alloc(0)
        if (isExpected(Number(received.toString('latin1', 9, 12)))) latencies.push(performance.now() - sentAt)
        else if (unexpected.length < 5)
          unexpected.push(received.toString('latin1', 0, 12) + received.toString('latin1', head + 4))
        next()
      })
    })

  await Promise.all(Array.from({ length: connections }, runConnection))
  const elapsed = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const percentile = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN
  return { requests: latencies.length, seconds: elapsed, p50Ms: percentile(0.5), p99Ms: percentile(0.99), unexpected }
}
