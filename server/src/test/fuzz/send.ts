import { connect } from 'node:net'

/** What came back; status 0 when the connection was closed without a response. */
export type FuzzResponse = { status: number; head: string; body: string }

const RESPONSE_TIMEOUT_MS = 20_000

/** The server neither responded nor closed the connection. */
class HangError extends Error {
  override name = 'HangError'
}

/**
 * Sends these bytes over a connection of their own, and reads until the server closes it, which every request asks for.
 * A live stream is left after its headers.
 *
 * @param halfClose ends the sending side at once, as somebody does who was cut off
 */
export function sendBytes(port: number, bytes: Buffer, halfClose: boolean): Promise<FuzzResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parseResponse(received))
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new HangError(`no end after ${RESPONSE_TIMEOUT_MS} ms; received: ${received.slice(0, 500)}`))
    }, RESPONSE_TIMEOUT_MS)
    // a server that refuses a request closes the connection while it is still being sent
    socket.on('error', finish)
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      if (/^content-type: text\/event-stream/im.test(parseResponse(received).head)) finish()
    })
    socket.once('end', finish).once('close', finish)
    socket.write(bytes)
    if (halfClose) socket.end()
  })
}

/** Splits a response; interim ones (100 Continue) are left out. */
function parseResponse(received: string): FuzzResponse {
  const end = received.indexOf('\r\n\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1] ?? 0)
  if (end >= 0 && status >= 100 && status < 200) return parseResponse(received.slice(end + 4))
  return end < 0
    ? { status, head: received, body: '' }
    : { status, head: received.slice(0, end), body: received.slice(end + 4) }
}
