import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND_MS } from '../time.ts'

/** How long nothing of a body may arrive, and how long it may arrive at any speed. */
const GRACE_MS = 30 * SECOND_MS
/** After that its average speed counts: a slow mobile network is several times faster. */
const MIN_BYTES_PER_S = 4 * 1024
const SWEEP_INTERVAL_MS = SECOND_MS

type ArrivingBody = {
  request: IncomingMessage
  response: ServerResponse
  /** The time that counts as the client's: time in which the server did not read is left out. */
  elapsedMs: number
  idleMs: number
  bytesBefore: number
  bytes: number
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Ends requests whose body stops for 30 seconds, or after them is slower than 4 KB a second on average, also when the
 * response was sent long ago. The client gets 408, if nothing was sent yet, and the connection is closed.
 */
export function endSlowBodies(server: Server) {
  // only the last of each connection: keeping every finished body until the sweep would create long-lived garbage under overload
  const arriving = new Map<Socket, ArrivingBody>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    const bytesBefore = request.socket.bytesRead
    arriving.set(request.socket, { request, response, elapsedMs: 0, idleMs: 0, bytesBefore, bytes: 0 })
  })
  let lastSweepAt = performance.now()
  const sweep = setInterval(() => {
    const passedMs = performance.now() - lastSweepAt
    lastSweepAt += passedMs
    for (const [socket, body] of arriving) {
      const { request } = body
      if (request.complete || request.destroyed || socket.destroyed) arriving.delete(socket)
      // what has arrived is still unread: the client is waiting for the server
      else if (request.readableLength === 0 && isTooSlow(body, passedMs)) {
        arriving.delete(socket)
        endRequest(server, body)
      }
    }
  }, SWEEP_INTERVAL_MS)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

function isTooSlow(body: ArrivingBody, passedMs: number): boolean {
  const bytes = body.request.socket.bytesRead - body.bytesBefore
  body.elapsedMs += passedMs
  body.idleMs = bytes > body.bytes ? 0 : body.idleMs + passedMs
  body.bytes = bytes
  return body.idleMs >= GRACE_MS || body.elapsedMs >= GRACE_MS + (bytes / MIN_BYTES_PER_S) * SECOND_MS
}

function endRequest(server: Server, { request, response }: ArrivingBody) {
  if (response.headersSent) request.socket.destroy()
  // as Node itself does when the headers are late
  else
    server.emit(
      'clientError',
      Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      request.socket,
    )
}
