import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=platenote-test\/\d{8}\/ca-central-1\/s3\/aws4_request, ?SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$/

/** Where the AWS client looks for credentials; the machine's own profile must not matter. */
export const AWS_VARIABLES = {
  AWS_ACCESS_KEY_ID: 'platenote-test',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_CONFIG_FILE: '/nonexistent',
}

/**
 * Starts a server that stores objects as S3 does, and refuses what is not signed or was changed on the way. Sets the variables in
 * which the AWS client finds credentials for it.
 */
export async function startFakeS3() {
  Object.assign(process.env, AWS_VARIABLES)
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    void (async () => {
      fake.calls++
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const path = request.url?.split('?')[0] ?? ''
      const respond = (status: number, code = '') =>
        response
          .writeHead(status, { 'content-type': 'application/xml' })
          .end(code && `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`)
      if (!SIGNED.test(request.headers.authorization ?? '')) return respond(403, 'AccessDenied')
      const hash = request.headers['x-amz-content-sha256']
      if (hash !== 'UNSIGNED-PAYLOAD' && hash !== createHash('sha256').update(body).digest('hex'))
        return respond(400, 'XAmzContentSHA256Mismatch')
      if (fake.failures > 0) {
        fake.failures--
        return respond(503, 'SlowDown')
      }
      if (request.method === fake.deniedMethod) return respond(403, 'AccessDenied')
      if (request.method === 'PUT') {
        objects.set(path, body)
        return respond(200)
      }
      if (request.method === 'DELETE') {
        objects.delete(path)
        return respond(204)
      }
      const found = objects.get(path)
      return found ? response.writeHead(200, { 'content-length': found.length }).end(found) : respond(404, 'NoSuchKey')
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
    storageUrl: (bucket: string) => `s3://${bucket}?endpoint=http://127.0.0.1:${port}&region=ca-central-1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return fake
}
