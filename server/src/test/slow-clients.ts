import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { uploadAttachment } from '#contract/attachments.ts'

/** A way of being slow: what is sent at once, and then a byte of what is left now and then. */
export type SlowClient = { name: string; head: string; dribble: string }

const headersOf = (path: string, rest: string) => `POST ${path} HTTP/1.1\r\nhost: platenote.test\r\n${rest}`
const JSON_BODY = 'content-type: application/json\r\ncontent-length: 1000000\r\n\r\n'

/** Clients whose headers never end. */
export const SLOW_HEADERS: SlowClient[] = [
  { name: 'a connection that says nothing', head: '', dribble: '' },
  { name: 'half a request line', head: 'GET /api/veh', dribble: '' },
  {
    name: 'headers byte by byte',
    head: 'GET /healthz HTTP/1.1\r\nhost: x\r\n',
    dribble: 'x-filler: and so on and so on\r\n',
  },
  {
    name: 'a second request byte by byte',
    head: 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET /healthz HTTP/1.1\r\n',
    dribble: 'x-filler: and so on and so on\r\n',
  },
]

/** Clients whose body never ends; `token` is that of somebody signed in. */
export const slowBodies = (token: string): SlowClient[] => [
  {
    name: 'a body byte by byte',
    head: headersOf('/auth/v1/token?grant_type=password', `${JSON_BODY}{"email":"`),
    dribble: 'x',
  },
  { name: 'a body that stops', head: headersOf('/auth/v1/recover', `${JSON_BODY}{"email":"`), dribble: '' },
  {
    name: 'a body in chunks of one byte',
    head: headersOf(
      '/auth/v1/token?grant_type=password',
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    ),
    dribble: '1\r\nx\r\n',
  },
  { name: 'a body after the refusal', head: headersOf('/api/messages', `${JSON_BODY}{`), dribble: ' ' },
  {
    name: 'a body of somebody signed in',
    head: headersOf('/api/messages', `authorization: Bearer ${token}\r\n${JSON_BODY}{`),
    dribble: ' ',
  },
  {
    name: 'an upload byte by byte',
    head: headersOf(
      uploadAttachment.path,
      `authorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
    ),
    dribble: '\x00',
  },
]

const DRIBBLE_INTERVAL_MS = 500

/** Connects and is slow until the server ends it. Resolves, once it is connected, with the time at which it was ended. */
export async function runSlowClient(
  port: number,
  { head, dribble }: SlowClient,
): Promise<{ socket: Socket; ended: Promise<number> }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  socket.write(head)
  let at = 0
  const timer = setInterval(() => {
    // a chunk is a whole frame, everything else goes byte by byte
    const bytes = dribble.includes('\r\n') && dribble.length < 10 ? dribble : dribble[at++ % dribble.length]
    if (bytes !== undefined && socket.writable) socket.write(bytes)
  }, DRIBBLE_INTERVAL_MS)
  // the end of the connection as the server made it, whether or not this side still writes
  const ended = new Promise<number>((resolve) => {
    const finish = () => {
      clearInterval(timer)
      socket.destroy()
      resolve(performance.now())
    }
    socket.once('end', finish).once('close', finish)
  })
  return { socket, ended }
}
