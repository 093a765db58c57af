import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { MessageCopyPage } from './MessageCopyPage.tsx'

export const meta = () => privatePageMeta(m.copy_title())

export default MessageCopyPage
