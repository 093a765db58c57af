import { connect } from 'node:net'

export type Stream = { close(): void }

/**
 * Opens a stream of server-sent events over a plain socket, and records when each message's event arrived.
 *
 * @param arrivals filled with `performance.now()` by the id in the event's data
 */
export function openStream(port: number, path: string, token: string, arrivals: Map<string, number>): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let open = false
    let rest = ''
    socket.setNoDelay(true)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      const now = performance.now()
      rest += chunk.toString('latin1')
      if (!open) {
        if (!rest.startsWith('HTTP/1.1 200')) return reject(new Error(`a stream responded ${rest.slice(0, 200)}`))
        open = true
        resolve({ close: () => socket.destroy() })
      }
      const whole = rest.lastIndexOf('\n\n')
      for (const [, id] of rest.slice(0, Math.max(0, whole)).matchAll(/"message_id":\s*"([0-9a-f-]{36})"/g)) {
        arrivals.set(id!, now)
      }
      if (whole >= 0) rest = rest.slice(whole)
    })
  })
}
