import { listMessages } from '#contract/messages.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { MessagesPage } from './MessagesPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(listMessages, { view: 'received' })] }

export const meta = () => pageMeta(m.nav_messages())

export default MessagesPage
