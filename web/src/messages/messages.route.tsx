import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { MessagesPage } from './MessagesPage.tsx'

export const meta = () => pageMeta(m.nav_messages())

export default MessagesPage
