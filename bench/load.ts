import { connect } from 'node:net'

export type Load = { requests: number; seconds: number; p50Ms: number; p99Ms: number; bad: string[] }

/**
 * Closed-loop load over keep-alive connections: each sends its next request when its answer came. Plain sockets: a full
 * HTTP client would take more of the processors than the server it measures.
 *
 * @param request makes the bytes of one request
 * @param wanted the status line's number every answer must have; others are counted as bad
 */
export async function runLoad(
  target: { host: string; port: number },
  connections: number,
  seconds: number,
  request: () => Buffer,
  wanted: number,
): Promise<Load> {
  const latencies: number[] = []
  const bad: string[] = []
  const started = performance.now()
  const until = started + seconds * 1000

  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(target)
      socket.setNoDelay(true)
      let rest: Buffer = Buffer.alloc(0)
      let sentAt = 0
      const next = () => {
        if (performance.now() >= until) {
          socket.end()
          resolve()
          return
        }
        sentAt = performance.now()
        socket.write(request())
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
        if (Number(received.toString('latin1', 9, 12)) === wanted) latencies.push(performance.now() - sentAt)
        else if (bad.length < 5) bad.push(received.toString('latin1', 0, 12) + received.toString('latin1', head + 4))
        next()
      })
    })

  await Promise.all(Array.from({ length: connections }, one))
  const elapsed = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const at = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN
  return { requests: latencies.length, seconds: elapsed, p50Ms: at(0.5), p99Ms: at(0.99), bad }
}
