import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkSignature } from './s3-signature.ts'

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
