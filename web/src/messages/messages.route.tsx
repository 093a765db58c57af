import { listMessages } from '#contract/messages.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { MessagesPage } from './MessagesPage.tsx'
import { receivedQuery } from './queries.ts'

const FIRST = urlOf(listMessages, { view: 'received' })

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () => prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(receivedQuery()))

export const meta = () => privatePageMeta(m.nav_messages())

export default MessagesPage
