import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const CHECK_INTERVAL_MS = 100
const CHECK_TIMEOUT_MS = 1_000

type Backend = { port: number; isReady: boolean; agent: Agent }

/**
 * Starts a proxy in front of several processes, which asks each whether it is ready, leads requests to the ready ones in turn
 * over connections it keeps, and repeats none: whatever fails behind it fails before it.
 */
export async function startRoundRobinProxy(ports: number[]) {
  const backends: Backend[] = ports.map((port) => ({ port, isReady: false, agent: new Agent({ keepAlive: true }) }))
  let turn = 0
  let unserved = 0

  const check = async (backend: Backend) => {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
    const response = await fetch(`http://127.0.0.1:${backend.port}/readyz`, { signal }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => {})
    backend.isReady = response?.status === 200
  }
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const ready = backends.filter(({ isReady }) => isReady)
    const backend = ready[turn++ % ready.length]
    if (!backend) {
      unserved++
      outgoing.writeHead(502).end()
      return
    }
    const { connection: _, ...headers } = incoming.headers
    const call = request(
      {
        host: '127.0.0.1',
        port: backend.port,
        agent: backend.agent,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, 'x-forwarded-for': incoming.socket.remoteAddress },
      },
      (response) => {
        const { connection: _ofBackend, 'keep-alive': __, ...responseHeaders } = response.headers
        outgoing.writeHead(response.statusCode ?? 502, responseHeaders)
        response.pipe(outgoing)
        response.on('error', () => outgoing.destroy())
      },
    )
    call.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => call.destroy())
    incoming.pipe(call)
  }

  await Promise.all(backends.map(check))
  const checks = setInterval(() => backends.forEach((backend) => void check(backend)), CHECK_INTERVAL_MS)
  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (port: number) => backends.some((backend) => backend.port === port && backend.isReady),
    /** Returns how many requests found no process ready. */
    unserved: () => unserved,
    close: () =>
      new Promise<void>((resolve) => {
        clearInterval(checks)
        for (const { agent } of backends) agent.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
