import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const DELAY_MS = 1_000

/** Passes a request on to a server as it is, and the response back. */
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, to: string | URL) {
  const forwarded = request(to, { method: incoming.method, headers: incoming.headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  forwarded.on('error', () => outgoing.destroy())
  outgoing.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

/**
 * Starts an HTTP proxy for a browser whose connection is slow: a request whose address matches reaches the server a second
 * late, and never when the browser gives it up before.
 *
 * @returns what `visit` takes as `options`, and what ends the proxy
 */
export async function startSlowConnection(slow: RegExp) {
  const server = createServer((incoming, outgoing) => {
    const { url = '' } = incoming
    const pass = () => forward(incoming, outgoing, url)
    if (!slow.test(url)) return pass()
    const timer = setTimeout(pass, DELAY_MS)
    outgoing.on('close', () => clearTimeout(timer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    options: { proxy: { server: `http://127.0.0.1:${port}` } },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
