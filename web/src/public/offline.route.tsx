import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { OfflinePage } from './OfflinePage.tsx'

export const handle: RouteHandle = { static: true }

export const meta = () => pageMeta(m.offline_title())

export default OfflinePage
