import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ConfigError } from '../config.ts'
import { WORK_CLASSES } from './work-class.ts'

const REFUSED = [429, 503]

/**
 * Counts what is in progress and what is refused for each class of work (decision overload-protection). Register before the app listens.
 */
function registerWorkMetrics(app: FastifyInstance, registry: Registry) {
  new Gauge({
    name: 'platenote_work_in_progress',
    help: 'Requests that are worked on, by class.',
    labelNames: ['class'] as const,
    registers: [registry],
    collect() {
      for (const workClass of WORK_CLASSES) this.set({ class: workClass }, app.workInProgress(workClass))
    },
  })
  const refused = new Counter({
    name: 'platenote_work_refused_total',
    help: 'Requests refused with 429 (too many of one caller) or 503 (too many in all, or no database), by class.',
    labelNames: ['class', 'status'] as const,
    registers: [registry],
  })
  // so that an alert sees the first refusal as a rise from 0
  for (const workClass of WORK_CLASSES) for (const status of REFUSED) refused.inc({ class: workClass, status }, 0)
  app.onSentResponse(({ workClass, status }) => {
    if (workClass !== null && REFUSED.includes(status)) refused.inc({ class: workClass, status })
  })
}

const BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Reads further metrics for a response. */
export type ReadMetrics = () => Promise<Registry>

/**
 * Serves Prometheus text at `GET /metrics`, on a separate port, and by default on this machine only, so that it is never
 * public by accident: metrics of the process, each route's responses by status and time, and those that `readMore` reads.
 */
export async function startMetricsServer(
  app: FastifyInstance,
  host: string,
  port: number,
  readMore: ReadMetrics,
): Promise<Server> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS_S,
    registers: [registry],
  })
  app.onSentResponse(({ method, route, status, ms }) => durations.observe({ method, route, status }, ms / 1000))
  registerWorkMetrics(app, registry)
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    const read = async () => Registry.merge([registry, await readMore()]).metrics()
    read().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        throw new ConfigError(`METRICS_HOST ${host} is no address of this machine`)
      if (error.code !== 'EADDRINUSE') throw error
      throw new ConfigError(`METRICS_PORT ${port} is taken; stop what uses it or set METRICS_PORT to another`)
    },
  )
  return server
}
