import { getImage, uploadAttachment } from '#contract/attachments.ts'
import { openDocument, uploadDocument } from '#contract/documents.ts'
import { openLiveStream } from '#contract/live.ts'
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

/**
 * Returns the class of a request; null for pages, health checks and live streams, which are not bounded.
 *
 * @param request what tells its route: a request of Fastify's, or the pattern of a route alone
 */
export function workClassOf({
  routeOptions,
  url,
  method,
}: {
  routeOptions: { url?: string | undefined }
  url: string
  method: string
}): WorkClass | null {
  const route = routeOptions.url
  const known = CLASS_OF_ROUTE[route ?? '']
  if (known !== undefined && !(known === 'image' && method !== 'POST')) return known
  if (route?.startsWith('/auth/v1/')) return 'sign_in'
  return LIMITED_PATHS.test(route ?? url) ? 'calls' : null
}
