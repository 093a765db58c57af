import type { FastifyInstance } from 'fastify'
import { getImage, uploadAttachment } from '#contract/attachments.ts'
import { openDocument, uploadDocument } from '#contract/documents.ts'
import { openLiveStream } from '#contract/notifications.ts'
import { exportData } from '#contract/profile.ts'
import { LIMITED_PATHS } from '../limits/request-limit-hook.ts'

/** Work that is bounded apart from other work, so that too much of one kind does not stop the others (decision overload-protection). */
export const WORK_CLASSES = ['calls', 'file', 'sign_in', 'image', 'export'] as const
export type WorkClass = (typeof WORK_CLASSES)[number]

const CLASS_OF_ROUTE: Record<string, WorkClass | null> = {
  [openLiveStream.path]: null, // has a limit of its own
  [uploadAttachment.path]: 'image',
  [uploadDocument.path]: 'image',
  [exportData.path]: 'export',
  // their store may hang, and everything else goes on (decision photos-and-files)
  [getImage.path]: 'file',
  [openDocument.path]: 'file',
}

const classOfCall = (path: string): WorkClass | null => (LIMITED_PATHS.test(path) ? 'calls' : null)

/** Returns the class of a route, given as its pattern; null for pages, health checks and live streams, which are not bounded. */
function workClassOf(method: string, route: string): WorkClass | null {
  const known = CLASS_OF_ROUTE[route]
  if (known !== undefined && !(known === 'image' && method !== 'POST')) return known
  if (route.startsWith('/auth/v1/')) return 'sign_in'
  return classOfCall(route)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of its route, never the address with its ids; null where there is none. */
    route: string | null
    workClass: WorkClass | null
  }
}

/** Notes what a request is, once, before any hook asks: Fastify makes `routeOptions` anew each time. */
export function registerWorkClass(app: FastifyInstance) {
  app.decorateRequest('route', null)
  app.decorateRequest('workClass', null)
  app.addHook('onRequest', (request, _, done) => {
    const { method, url } = request
    const { url: route } = request.routeOptions
    request.route = route ?? null
    request.workClass = route === undefined ? classOfCall(url) : workClassOf(method, route)
    done()
  })
}
