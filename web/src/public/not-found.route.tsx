import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { NotFoundPage } from './NotFoundPage.tsx'

export const handle: RouteHandle = { static: true }

export const meta = () => pageMeta(m.not_found_title())

export default NotFoundPage
