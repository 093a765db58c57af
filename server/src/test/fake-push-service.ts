import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserPushSubscription, PushPayload } from '#contract/push.ts'
import { eventually } from './eventually.ts'

/** A push the service received for a device, decrypted as its browser does. */
type ReceivedPush = {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  text: string
  /** The whole declarative push message. */
  message: PushPayload
  /** The notification in it. */
  payload: PushPayload['notification']
}

export type FakeBrowser = BrowserPushSubscription & {
  /** Resolves with the pushes accepted for it, once there are at least `minCount`. */
  pushes(minCount?: number): Promise<ReceivedPush[]>
  /** Returns the pushes accepted for it so far. */
  taken(): ReceivedPush[]
}

/** `loses`: the service takes the push, and the connection breaks before it can say so. */
type PushResponse = { status: number; headers?: Record<string, string>; loses?: true } | 'silence'

/** Starts a push service on a free port, as browser vendors run them, with the browsers registered with it. */
export async function startFakePushService() {
  const browsers = new Map<
    string,
    { open: (body: Buffer) => string; taken: ReceivedPush[]; responses: PushResponse[] }
  >()
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const browser = browsers.get(path)
    const reply = browser ? (browser.responses.shift() ?? { status: 201 }) : { status: 410 }
    if (reply === 'silence') return
    if (browser && reply.status === 201) {
      const raw = Buffer.concat(chunks)
      const text = browser.open(raw)
      const message = JSON.parse(text) as PushPayload
      browser.taken.push({ path, headers: request.headers, raw, text, message, payload: message.notification })
    }
    if (reply.loses) return response.destroy()
    response.writeHead(reply.status, reply.headers).end('x'.repeat(50))
  }
  const server = createServer((request, response) => {
    // a push that cannot be decrypted fails its request, and with it the test
    handleRequest(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    browser(): FakeBrowser {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(16).toString('hex')}`
      const taken: ReceivedPush[] = []
      browsers.set(path, { open: (body) => decrypt(body, keys, auth), taken, responses: [] })
      return {
        endpoint: origin + path,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
        taken: () => taken,
        pushes: (minCount = 1) => eventually(async () => (taken.length >= minCount ? taken : undefined)),
      }
    },
    /** Sets the responses to the next requests for a browser; afterwards 201 again. */
    answer: ({ endpoint }: BrowserPushSubscription, ...responses: PushResponse[]) => {
      browsers.get(new URL(endpoint).pathname)?.responses.push(...responses)
    },
    /** Discards the subscription, as the browser does when it is uninstalled. */
    forget: ({ endpoint }: BrowserPushSubscription) => void browsers.delete(new URL(endpoint).pathname),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Decrypts by RFC 8291 §3.4 and RFC 8188 §2. Written out here, so that pushes are read by other code than wrote them. */
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const encrypted = body.subarray(21 + idLength)
  const derive = (from: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', from, salt, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = derive(keys.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(encrypted.subarray(-16))
  const padded = Buffer.concat([cipher.update(encrypted.subarray(0, -16)), cipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** Returns the claims of a push's signature (RFC 8292 §2), or null unless the key it names signed it. */
export function verifyVapidSignature({
  headers,
}: ReceivedPush): { claims: Record<string, unknown>; key: string } | null {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const valid = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return valid
    ? { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>, key }
    : null
}
