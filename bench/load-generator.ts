import { connect } from 'node:net'
import { quantile } from './figures.ts'

export type LoadResult = { requests: number; seconds: number; perSecond: number; p50Ms: number; p99Ms: number }

type Load = {
  port: number
  connections: number
  seconds: number
  /**
   * Instead of a closed loop: this many requests a second in all, evenly, as long as a connection is free. A latency then counts
   * from the moment the request was due, so that a server that stalls cannot hide it.
   */
  perSecond?: number
  /** Returns the bytes of one request. */
  request: () => Buffer
}

/**
 * Runs a closed-loop load over keep-alive connections: each sends its next request when its response has come. Uses plain
 * sockets, because a full HTTP client would take more processor time than the server it measures. Throws when a request fails.
 */
export async function runLoad({ port, connections, seconds, perSecond, request }: Load): Promise<LoadResult> {
  const latencies: number[] = []
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
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
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
        if (received[9] !== STATUS_2XX) {
          socket.destroy()
          reject(new Error(`refused: ${received.toString('latin1', 0, 12)} ${received.toString('latin1', head + 4)}`))
          return
        }
        latencies.push(performance.now() - sentAt)
        next()
      })
    })

  await Promise.all(Array.from({ length: connections }, runConnection))
  const elapsed = (performance.now() - started) / 1000
  return {
    requests: latencies.length,
    seconds: elapsed,
    perSecond: latencies.length / elapsed,
    p50Ms: quantile(latencies),
    p99Ms: quantile(latencies, 0.99),
  }
}

const STATUS_2XX = '2'.charCodeAt(0)

/** Returns how many times a second some work is done, with as many at once as there are connections. */
export async function measureRate(connections: number, seconds: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let count = 0
  const repeat = async () => {
    while (performance.now() < started + seconds * 1000) {
      await work()
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
  return (count * 1000) / (performance.now() - started)
}

/** Returns a source that has each of these in turn, again and again. */
export function inTurn<T>(items: readonly T[]): () => T {
  let next = 0
  return () => items[next++ % items.length]!
}

/** Returns the bytes of a request; `key` is the one under which a send is stored once. */
export function encodeRequest(
  method: 'GET' | 'POST',
  path: string,
  token: string | null,
  body?: unknown,
  key?: string,
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(key ? [`idempotency-key: ${key}`] : []),
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(text ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
