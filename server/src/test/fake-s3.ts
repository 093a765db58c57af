import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MINUTE_MS } from '../time.ts'

const MAX_SKEW_MS = 15 * MINUTE_MS

const REGION = 'ca-central-1'

/** Where the AWS client looks for credentials; the machine's own profile must not matter. */
export const AWS_VARIABLES = {
  AWS_ACCESS_KEY_ID: 'KEYOFTHETESTBUCKET',
  AWS_SECRET_ACCESS_KEY: 'only-the-test-bucket-knows-it',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_CONFIG_FILE: '/nonexistent',
}

/** Parses a time like `20261123T101500Z`. */
const parseTime = (time: string) =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Returns the bytes of a body, which the client sends in chunks (aws-chunked) when it does not know them beforehand. */
function joinChunks(body: Buffer, { 'x-amz-decoded-content-length': length }: IncomingHttpHeaders): Buffer {
  if (length === undefined) return body
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

/**
 * Starts a server that stores objects as S3 does, and refuses what is not signed with its key and by its clock. That the AWS
 * client signs rightly is the client's; whether the secret is the right one, `secret` says. Sets the variables in which the
 * client finds its credentials.
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
      const { authorization = '', 'x-amz-date': time } = request.headers
      const scope = `AWS4-HMAC-SHA256 Credential=${AWS_VARIABLES.AWS_ACCESS_KEY_ID}/${String(time).slice(0, 8)}/${REGION}/s3/`
      if (!authorization.startsWith(scope)) return respond(403, 'AccessDenied')
      if (!(Math.abs(now - parseTime(String(time))) <= MAX_SKEW_MS)) return respond(403, 'RequestTimeTooSkewed')
      if (fake.secret !== AWS_VARIABLES.AWS_SECRET_ACCESS_KEY) return respond(403, 'SignatureDoesNotMatch')
      if (fake.failures > 0) {
        fake.failures--
        return respond(503, 'SlowDown')
      }
      if (request.method === fake.deniedMethod) return respond(403, 'AccessDenied')
      if (request.method === 'PUT') {
        objects.set(path, joinChunks(body, request.headers))
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
