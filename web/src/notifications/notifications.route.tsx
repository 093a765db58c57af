import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { NotificationsPage } from './NotificationsPage.tsx'

export const meta = () => pageMeta(m.nav_notifications())

export default NotificationsPage
