import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { NotFoundPage } from '~/ui/NotFoundPage'

export const handle: RouteHandle = { static: true, anyAddress: true }

export const meta = () => privatePageMeta(m.not_found_title())

export default NotFoundPage
