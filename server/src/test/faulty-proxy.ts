import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rawRequest } from './raw-request.ts'

/**
 * A fault that hits one request: a response of the proxy's own, a cut connection, or the server's response delayed until a
 * promise settles.
 */
export type ProxyFault = { status: number; type?: string; body?: string } | 'cut' | { until: Promise<unknown> }

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Starts a proxy in front of a server, which forwards everything except the requests a test sets a fault for. */
export async function startFaultyProxy(origin: string) {
  /** The requests so far, as `POST /path?query`. */
  const seen: string[] = []
  const answered: string[] = []
  const faults: { path: string; fault: ProxyFault }[] = []
  const takeFault = (url: string) => {
    const index = faults.findIndex(({ path }) => url.startsWith(path))
    return index < 0 ? undefined : faults.splice(index, 1)[0]?.fault
  }
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request
    const call = `${method} ${url}`
    seen.push(call)
    const body = await readBody(request)
    const fault = takeFault(url)
    if (fault === 'cut') return void request.socket.destroy()
    if (fault && 'status' in fault) {
      return void response.writeHead(fault.status, { 'content-type': fault.type ?? 'text/html' }).end(fault.body)
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        (header): header is [string, string] => typeof header[1] === 'string' && header[0] !== 'connection',
      ),
    )
    const forwarded = await rawRequest(origin, url, { method, headers, ...(body && { body }) })
    answered.push(call)
    await fault?.until
    response.writeHead(forwarded.status, forwarded.headers).end(forwarded.bytes)
  }
  const server = createServer((request, response) => void forward(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** The same, added once the server has responded. */
    answered,
    /** Sets a fault for the next request whose address begins with `path`. */
    next: (path: string, fault: ProxyFault) => void faults.push({ path, fault }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
