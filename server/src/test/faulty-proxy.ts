import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rawRequest } from './raw-request.ts'

/**
 * What happens to one request on its way: an answer of the proxy's own, a cut connection, or the server's answer held
 * back until a promise settles.
 */
export type ProxyFault = { status: number; type?: string; body?: string } | 'cut' | { until: Promise<unknown> }

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A proxy in front of a server, which passes everything on except where a test made trouble for a path. */
export async function startFaultyProxy(origin: string) {
  /** The requests so far, as `POST /path?query`. */
  const seen: string[] = []
  const answered: string[] = []
  const faults: { path: string; trouble: ProxyFault }[] = []
  const take = (url: string) => {
    const index = faults.findIndex(({ path }) => url.startsWith(path))
    return index < 0 ? undefined : faults.splice(index, 1)[0]?.trouble
  }
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request
    const call = `${method} ${url}`
    seen.push(call)
    const body = await readBody(request)
    const trouble = take(url)
    if (trouble === 'cut') return void request.socket.destroy()
    if (trouble && 'status' in trouble) {
      return void response.writeHead(trouble.status, { 'content-type': trouble.type ?? 'text/html' }).end(trouble.body)
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        (header): header is [string, string] => typeof header[1] === 'string' && header[0] !== 'connection',
      ),
    )
    const answer = await rawRequest(origin, url, { method, headers, ...(body && { body }) })
    answered.push(call)
    await trouble?.until
    response.writeHead(answer.status, answer.headers).end(answer.bytes)
  }
  const server = createServer((request, response) => void forward(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** The same, once the server behind has answered. */
    answered,
    /** Makes trouble for the next request whose address begins with `path`. */
    next: (path: string, trouble: ProxyFault) => void faults.push({ path, trouble }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
