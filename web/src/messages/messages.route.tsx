import { listMessages } from '#contract/messages.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import { queryClient } from '~/lib/query-client'
import { readBeforeDrawing } from '~/lib/read-before-drawing'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { MessagesPage } from './MessagesPage.tsx'
import { receivedQuery } from './queries.ts'

const FIRST = addressOf(listMessages, { view: 'received' })

export const handle: RouteHandle = { reads: [FIRST] }

export const clientLoader = () => readBeforeDrawing(FIRST, () => queryClient.prefetchInfiniteQuery(receivedQuery))

export const meta = () => pageMeta(m.nav_messages())

export default MessagesPage
