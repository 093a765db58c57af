import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { type Config, PROXY_ALIASES } from '../config.ts'
import { enclosingNetworks } from '../limits/network.ts'
import type { Logger } from '../log/logger.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'

/** How long nothing of a body may arrive, and how long it may arrive at any speed. */
const GRACE_MS = 30 * SECOND_MS
/** After that its average speed counts: a slow mobile network is several times faster. */
const MIN_BYTES_PER_S = 4 * 1024
const SWEEP_INTERVAL_MS = SECOND_MS

type ArrivingBody = {
  request: IncomingMessage
  response: ServerResponse
  /** The time that counts as the client's: time in which the server did not read is left out. */
  elapsedMs: number
  idleMs: number
  bytesBefore: number
  bytes: number
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Ends requests whose body stops for 30 seconds, or after them is slower than 4 KB a second on average, also when the
 * response was sent long ago. The client gets 408, if nothing was sent yet, and the connection is closed.
 */
function endSlowBodies(server: Server) {
  // only the last of each connection: keeping every finished body until the sweep would create long-lived garbage under overload
  const arriving = new Map<Socket, ArrivingBody>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    const bytesBefore = request.socket.bytesRead
    arriving.set(request.socket, { request, response, elapsedMs: 0, idleMs: 0, bytesBefore, bytes: 0 })
  })
  let lastSweepAt = performance.now()
  const sweep = setInterval(() => {
    const passedMs = performance.now() - lastSweepAt
    lastSweepAt += passedMs
    for (const [socket, body] of arriving) {
      const { request } = body
      if (request.complete || request.destroyed || socket.destroyed) arriving.delete(socket)
      // what has arrived is still unread: the client is waiting for the server
      else if (request.readableLength === 0 && isTooSlow(body, passedMs)) {
        arriving.delete(socket)
        endRequest(server, body)
      }
    }
  }, SWEEP_INTERVAL_MS)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

function isTooSlow(body: ArrivingBody, passedMs: number): boolean {
  const bytes = body.request.socket.bytesRead - body.bytesBefore
  body.elapsedMs += passedMs
  body.idleMs = bytes > body.bytes ? 0 : body.idleMs + passedMs
  body.bytes = bytes
  return body.idleMs >= GRACE_MS || body.elapsedMs >= GRACE_MS + (bytes / MIN_BYTES_PER_S) * SECOND_MS
}

function endRequest(server: Server, { request, response }: ArrivingBody) {
  if (response.headersSent) request.socket.destroy()
  // as Node itself does when the headers are late
  else
    server.emit(
      'clientError',
      Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      request.socket,
    )
}

/** The time for the headers of a request: from its first byte, or from the connection if it is the first one on it. */
const HEADERS_TIMEOUT_MS = 10 * SECOND_MS
/** The longest any request may take to arrive. How fast its body must come is above. */
const REQUEST_TIMEOUT_MS = 5 * MINUTE_MS
/** How long a connection stays open between two requests: longer than a proxy keeps one, so that the proxy closes it first. */
const KEEP_ALIVE_MS = 72 * SECOND_MS
/** How long nothing may be read or written on a connection. Live streams have a heartbeat; nobody waits this long for a response. */
const IDLE_TIMEOUT_MS = 2 * MINUTE_MS
const CHECK_INTERVAL_MS = SECOND_MS

type ServerSettings = Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY'>

/**
 * Creates HTTP servers on which a slow client costs others nothing (decision overload-protection): headers, bodies and pauses are bounded
 * in time, and connections are counted, in all and for each address. Does not listen yet.
 *
 * @param patienceMs the least time for headers, a request and a pause (`AppContext`)
 */
export const createHttpServerFactory =
  (settings: ServerSettings, log: Logger, patienceMs = 0) =>
  (handler: RequestListener): Server => {
    const server = createServer(
      {
        headersTimeout: Math.max(HEADERS_TIMEOUT_MS, patienceMs),
        requestTimeout: Math.max(REQUEST_TIMEOUT_MS, patienceMs),
        keepAliveTimeout: Math.max(KEEP_ALIVE_MS, patienceMs),
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
      (request, response) => {
        normalizeRequest(request)
        handler(request, response)
      },
    )
    server.setTimeout(Math.max(IDLE_TIMEOUT_MS, patienceMs))
    endSlowBodies(server)
    limitConnections(server, settings, log)
    return server
  }

/** An entry of X-Forwarded-For with a port, in brackets or in quotation marks: an address in the forms of RFC 7239 §6. */
const DECORATED_ADDRESS = /^"?(?:\[([\da-f:.]+)\]|(\d+(?:\.\d+){3}))(?::\w+)?"?$/i

/**
 * Brings what clients and proxies may write in two ways into the one that all code expects: an absolute request target, whose
 * origin is ours (RFC 9112 §3.2.2), and the addresses that some proxies write with a port, each of which would be a network of its own.
 */
function normalizeRequest(request: IncomingMessage) {
  const [, origin] = /^(https?:\/\/[^/?#]*)/i.exec(request.url ?? '') ?? []
  if (origin && URL.canParse(origin)) request.url = request.url!.slice(origin.length).replace(/^(?!\/)/, '/')
  const forwarded = request.headers['x-forwarded-for']
  if (typeof forwarded !== 'string') return
  request.headers['x-forwarded-for'] = forwarded
    .split(',')
    .map((entry) => entry.trim().replace(DECORATED_ADDRESS, '$1$2'))
    .join()
}

/**
 * Closes connections beyond the maximum of the process, or of their address, as they are accepted. Node's own maximum would be
 * that of one listener, of which there are several (`listen.ts`).
 */
function limitConnections(server: Server, settings: ServerSettings, log: Logger) {
  const count = countByAddress(settings, log)
  const reportFullServer = reportOncePerMinute(log, 'connections beyond MAX_CONNECTIONS refused')
  let open = 0
  server.prependListener('connection', (socket: Socket) => {
    if (open >= settings.MAX_CONNECTIONS) reportFullServer()
    else if (count(socket)) {
      open++
      socket.once('close', () => open--)
      return
    }
    socket.destroy()
  })
}

/**
 * Returns a function that counts a connection until it closes, or returns false when its address has as many as it may have. An
 * IPv6 /64 counts as one address, and wider networks have a maximum too (`enclosingNetworks`). Those of a trusted proxy, which
 * come from many people, are not counted: limiting them is the proxy's part.
 */
function countByAddress(settings: ServerSettings, log: Logger): (socket: Socket) => boolean {
  const isTrustedProxy = parseTrustedProxies(settings.TRUST_PROXY ?? [])
  const openByNetwork = new Map<string, number>()
  // no address: the log has nothing about people
  const reportRefusal = reportOncePerMinute(
    log,
    'connections beyond MAX_CONNECTIONS_PER_ADDRESS refused; is the proxy in TRUST_PROXY?',
  )
  return (socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isTrustedProxy(address)) return true
    const networks = enclosingNetworks(address)
    const isFull = networks.some(
      ({ network, factor }) => (openByNetwork.get(network) ?? 0) >= settings.MAX_CONNECTIONS_PER_ADDRESS * factor,
    )
    if (isFull) {
      reportRefusal()
      return false
    }
    for (const { network } of networks) openByNetwork.set(network, (openByNetwork.get(network) ?? 0) + 1)
    socket.once('close', () => {
      for (const { network } of networks) {
        const left = (openByNetwork.get(network) ?? 1) - 1
        if (left > 0) openByNetwork.set(network, left)
        else openByNetwork.delete(network)
      }
    })
    return true
  }
}

/** Returns a function that counts refusals and reports them, at most once a minute. */
function reportOncePerMinute(log: Logger, message: string): () => void {
  let refused = 0
  let lastReportAt = Number.NEGATIVE_INFINITY
  return () => {
    refused++
    if (performance.now() - lastReportAt < MINUTE_MS) return
    lastReportAt = performance.now()
    log.warn({ refused }, message)
    refused = 0
  }
}

/** Returns a function that tells whether an address belongs to one of the proxies of TRUST_PROXY. */
function parseTrustedProxies(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const network of proxies.flatMap((proxy) => PROXY_ALIASES[proxy] ?? proxy)) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  return (address) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
