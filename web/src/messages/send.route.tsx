import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { SendPage } from './SendPage.tsx'

export const meta = () => pageMeta(m.page_send())

export default SendPage
