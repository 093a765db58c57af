import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { OfflinePage } from './OfflinePage.tsx'

export const handle: RouteHandle = { static: true }

export const meta = () => privatePageMeta(m.offline_title())

export default OfflinePage
