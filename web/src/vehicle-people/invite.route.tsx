import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { InvitePage } from './InvitePage.tsx'

export const meta = () => privatePageMeta(m.page_invite())

export default InvitePage
