import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { NotePage } from './NotePage.tsx'

export const meta = () => privatePageMeta(m.note_title())

export default NotePage
