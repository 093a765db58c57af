import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserPushSubscription, PushPayload } from '#contract/push.ts'
import { eventually } from './eventually.ts'

/** What the service was sent for a device, decrypted as its browser does. */
export type ReceivedPush = {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  text: string
  payload: PushPayload
}

export type FakeBrowser = BrowserPushSubscription & {
  /** Pushes taken for it, once there are at least so many. */
  pushes(least?: number): Promise<ReceivedPush[]>
  /** What was taken for it so far. */
  taken(): ReceivedPush[]
}

type Answer = { status: number; headers?: Record<string, string> } | 'silence'

/** A push service on a port of its own, as browsers' makers run them, and the browsers that are registered with it. */
export async function startFakePushService() {
  const browsers = new Map<string, { open: (body: Buffer) => string; taken: ReceivedPush[]; answers: Answer[] }>()
  const answerCall = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const browser = browsers.get(path)
    const answer = browser ? (browser.answers.shift() ?? { status: 201 }) : { status: 410 }
    if (answer === 'silence') return
    if (browser && answer.status === 201) {
      const raw = Buffer.concat(chunks)
      const text = browser.open(raw)
      browser.taken.push({ path, headers: request.headers, raw, text, payload: JSON.parse(text) as PushPayload })
    }
    response.writeHead(answer.status, answer.headers).end('x'.repeat(50))
  }
  const server = createServer((request, response) => {
    // one that cannot be decrypted: the caller sees it fail, and the test with it
    answerCall(request, response).catch(() => response.destroy())
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
      browsers.set(path, { open: (body) => decrypt(body, keys, auth), taken, answers: [] })
      return {
        endpoint: origin + path,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
        taken: () => taken,
        pushes: (least = 1) => eventually(async () => (taken.length >= least ? taken : undefined)),
      }
    },
    /** What the next calls for a browser are answered; afterwards 201 again. */
    answer: ({ endpoint }: BrowserPushSubscription, ...answers: Answer[]) => {
      browsers.get(new URL(endpoint).pathname)?.answers.push(...answers)
    },
    /** The browser threw its subscription away. */
    forget: ({ endpoint }: BrowserPushSubscription) => void browsers.delete(new URL(endpoint).pathname),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** RFC 8291 §3.4 and RFC 8188 §2: written out here, so that what we send is read by other code than what wrote it. */
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const derive = (from: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', from, salt, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = derive(keys.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}

/** The claims of the signature a push came with (RFC 8292 §2), if the key it names made it; else null. */
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
  const good = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return good
    ? { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>, key }
    : null
}
