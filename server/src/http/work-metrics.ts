import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { WORK_CLASSES } from './work-class.ts'

const REFUSED = [429, 503]

/**
 * Counts what is in progress and what is refused for each class of work (decision overload-protection). Register before the app listens.
 */
export function registerWorkMetrics(app: FastifyInstance, registry: Registry) {
  new Gauge({
    name: 'platenote_work_in_progress',
    help: 'Requests that are worked on, by class.',
    labelNames: ['class'] as const,
    registers: [registry],
    collect() {
      for (const workClass of WORK_CLASSES) this.set({ class: workClass }, app.workInProgress[workClass])
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
