import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import { MINUTE_MS } from '../time.ts'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const AUTHORIZATION = new RegExp(
  `^${ALGORITHM} Credential=([^/,]+)/([^,]+), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$`,
)
const MAX_SKEW_MS = 15 * MINUTE_MS
/** The body comes in chunks, which are not signed, with its checksum behind them: what the AWS client does with a stream. */
const CHUNKS_AND_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

type S3Key = { id: string; secret: string; region: string }
/** What of a request is signed. */
type Signable = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'headersDistinct'>
/** What S3 makes of a request: the bytes of an object, or the status and the code of the error it answers. */
type SignedRequest = { outcome: 'signed'; bytes: Buffer } | { outcome: 'refused'; status: number; code: string }

const refused = (status: number, code: string): SignedRequest => ({ outcome: 'refused', status, code })
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Parses a time like `20261123T101500Z`; NaN when it is none. */
const parseTime = (time: string) =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Encodes everything but the unreserved characters of RFC 3986, whatever was encoded before. */
const encodeAnew = (part: string) =>
  encodeURIComponent(decodeURIComponent(part)).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Returns the canonical request of AWS Signature Version 4 in the form of S3, whose path is encoded once. */
function canonicalRequest({ method, url, headersDistinct }: Signable, signed: string[]): string {
  const [path = '', query = ''] = url!.split('?')
  const parameters = query.split('&').filter((parameter) => parameter !== '')
  const pairs = parameters.map((parameter) => {
    const [name = '', value = ''] = parameter.split(/=(.*)/s)
    // the order is that of the names, and a space comes before all that is in them
    return `${encodeAnew(name)} ${encodeAnew(value)}`
  })
  const headerOf = (name: string) =>
    (headersDistinct[name] ?? []).map((value) => value.trim().replaceAll(/ +/g, ' ')).join(',')
  return [
    method,
    path.split('/').map(encodeAnew).join('/'),
    pairs
      .sort()
      .map((pair) => pair.replace(' ', '='))
      .join('&'),
    ...signed.map((name) => `${name}:${headerOf(name)}`),
    '',
    signed.join(';'),
    headerOf('x-amz-content-sha256'),
  ].join('\n')
}

/** Returns the signature that a request must have. */
function signatureOf(request: Signable, signed: string[], { secret, region }: S3Key, time: string): string {
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request']
  const text = [ALGORITHM, time, scope.join('/'), sha256(canonicalRequest(request, signed))].join('\n')
  return hmac(scope.reduce<string | Buffer>(hmac, `AWS4${secret}`) as Buffer, text).toString('hex')
}

/** Returns the bytes of an aws-chunked body; undefined when they are not whole, or not those of their checksum. */
function joinChunks(body: Buffer, { headers }: Signable): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) return undefined
    at = lineEnd + 2
    if (size > 0) {
      chunks.push(body.subarray(at, at + size))
      at += size + 2
      continue
    }
    const bytes = Buffer.concat(chunks)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(bytes))
    const isWhole =
      String(bytes.length) === headers['x-amz-decoded-content-length'] &&
      headers['x-amz-trailer'] === 'x-amz-checksum-crc32' &&
      body.toString('latin1', at).trim() === `x-amz-checksum-crc32:${checksum.toString('base64')}`
    return isWhole ? bytes : undefined
  }
}

/**
 * Checks a request as S3 does (AWS Signature Version 4, in the header `Authorization`): by whose key it is signed, when, and that
 * nothing of it was changed on the way. Written apart from the client's own signer, with whose mistakes it would agree.
 */
function checkSignature(request: Signable, body: Buffer, key: S3Key, now: number): SignedRequest {
  const { authorization, 'x-amz-date': time, 'x-amz-content-sha256': hash } = request.headers as Record<string, string>
  if (authorization === undefined) return refused(403, 'AccessDenied')
  const [, id, scope, names = '', signature] = AUTHORIZATION.exec(authorization) ?? []
  if (time === undefined || scope !== `${time.slice(0, 8)}/${key.region}/s3/aws4_request`)
    return refused(400, 'AuthorizationHeaderMalformed')
  if (id !== key.id) return refused(403, 'InvalidAccessKeyId')
  if (!(Math.abs(now - parseTime(time)) <= MAX_SKEW_MS)) return refused(403, 'RequestTimeTooSkewed')
  const signed = names.split(';')
  const mustBeSigned = (name: string) => name === 'host' || name === 'content-type' || name.startsWith('x-amz-')
  if (!Object.keys(request.headers).every((name) => !mustBeSigned(name) || signed.includes(name)))
    return refused(403, 'AccessDenied')
  if (signature !== signatureOf(request, signed, key, time)) return refused(403, 'SignatureDoesNotMatch')
  if (hash === CHUNKS_AND_TRAILER) {
    const bytes = joinChunks(body, request)
    return bytes ? { outcome: 'signed', bytes } : refused(400, 'BadDigest')
  }
  return hash === 'UNSIGNED-PAYLOAD' || hash === sha256(body)
    ? { outcome: 'signed', bytes: body }
    : refused(400, 'XAmzContentSHA256Mismatch')
}

const REGION = 'ca-central-1'

/** Where the AWS client looks for credentials; the machine's own profile must not matter. */
export const AWS_VARIABLES = {
  AWS_ACCESS_KEY_ID: 'KEYOFTHETESTBUCKET',
  AWS_SECRET_ACCESS_KEY: 'only-the-test-bucket-knows-it',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_CONFIG_FILE: '/nonexistent',
}

/**
 * Starts a server that stores objects as S3 does, and refuses what is not signed with its key or was changed on the way. Sets the
 * variables in which the AWS client finds credentials for it.
 */
export async function startFakeS3() {
  Object.assign(process.env, AWS_VARIABLES)
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    void (async () => {
      fake.calls++
      if (fake.stalls === 'at once') return
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const path = request.url?.split('?')[0] ?? ''
      const now = Date.now() + fake.clockAheadMs
      const respond = (status: number, code = '') =>
        response
          .writeHead(status, { 'content-type': 'application/xml', date: new Date(now).toUTCString() })
          .end(code && `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
      const key = { id: AWS_VARIABLES.AWS_ACCESS_KEY_ID, secret: fake.secret, region: REGION }
      const signed = checkSignature(request, body, key, now)
      if (signed.outcome === 'refused') return respond(signed.status, signed.code)
      if (fake.failures > 0) {
        fake.failures--
        return respond(503, 'SlowDown')
      }
      if (request.method === fake.deniedMethod) return respond(403, 'AccessDenied')
      if (request.method === 'PUT') {
        objects.set(path, signed.bytes)
        return respond(200)
      }
      if (request.method === 'DELETE') {
        objects.delete(path)
        return respond(204)
      }
      const found = objects.get(path)
      // S3 tells who may not list a bucket nothing of what it does not have
      if (!found) return fake.listsObjects ? respond(404, 'NoSuchKey') : respond(403, 'AccessDenied')
      response.writeHead(200, { 'content-length': found.length })
      if (fake.stalls === 'in the body') return response.write(found.subarray(0, found.length / 2))
      return response.end(found)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const fake = {
    /** What is stored, by `/<bucket>/<name>`. */
    objects,
    calls: 0,
    /** How many of the next requests are answered that the bucket is overloaded. */
    failures: 0,
    /** A method that the credentials do not allow. */
    deniedMethod: undefined as string | undefined,
    /** Whether the credentials have s3:ListBucket. */
    listsObjects: true,
    /** When it falls silent: before it answers a request, or half-way through what is read from it. */
    stalls: undefined as 'at once' | 'in the body' | undefined,
    /** The secret that belongs to the key. */
    secret: AWS_VARIABLES.AWS_SECRET_ACCESS_KEY,
    /** How far its clock is ahead of this machine's. */
    clockAheadMs: 0,
    endpoint: `http://127.0.0.1:${port}`,
    storageUrl: (bucket: string) => `s3://${bucket}?endpoint=http://127.0.0.1:${port}&region=${REGION}`,
    /** Ends the connections of all calls, as a store does that is started again. */
    disconnect: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return fake
}
