import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { SendPage } from './SendPage.tsx'

export const meta = () => privatePageMeta(m.page_send())

export default SendPage
