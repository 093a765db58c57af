import { connect } from 'node:net'

/** How the bytes of a request are put together. All but the first two lie about their length. */
export const FRAMINGS = [
  'whole',
  'in chunks',
  'cut off',
  'cut off in chunks',
  'longer than it says',
  'two lengths',
  'both',
] as const

export type FuzzRequest = {
  /** The route it was made for, `METHOD url`. */
  route: string
  who: string
  method: string
  target: string
  headers: [name: string, value: string][]
  body: Buffer
  framing: (typeof FRAMINGS)[number]
}

/** Returns the bytes of a request, and whether they lie about themselves: then no response is due. */
export function encodeRequest({ method, target, headers, body, framing }: FuzzRequest): {
  bytes: Buffer
  isMalformed: boolean
} {
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
  const chunked = body.length === 0 ? Buffer.from('0\r\n\r\n') : Buffer.concat([chunk, Buffer.from('0\r\n\r\n')])
  const { length } = body
  const [extra, sent]: [string, Buffer] = {
    whole: [length > 0 ? `content-length: ${length}\r\n` : '', body] as [string, Buffer],
    'in chunks': ['transfer-encoding: chunked\r\n', chunked] as [string, Buffer],
    'cut off': [`content-length: ${length + 10}\r\n`, body] as [string, Buffer],
    'cut off in chunks': ['transfer-encoding: chunked\r\n', chunk] as [string, Buffer],
    'longer than it says': [`content-length: ${Math.floor(length / 2)}\r\n`, body] as [string, Buffer],
    'two lengths': [`content-length: ${length}\r\ncontent-length: ${length + 1}\r\n`, body] as [string, Buffer],
    both: [`content-length: ${length}\r\ntransfer-encoding: chunked\r\n`, chunked] as [string, Buffer],
  }[framing]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const host = headers.some(([name]) => name === 'host') ? '' : 'host: localhost\r\n'
  const head = `${method} ${target} HTTP/1.1\r\n${host}connection: close\r\n${lines}${extra}\r\n`
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), sent]),
    isMalformed: framing !== 'whole' && framing !== 'in chunks',
  }
}

/** Returns a request as a few lines, for people. */
export const describeRequest = (request: FuzzRequest): string =>
  `${request.who}, ${request.framing}:\n${encodeRequest(request).bytes.toString('latin1').slice(0, 2_000)}`

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
