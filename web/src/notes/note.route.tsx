import { privatePageMeta } from '~/lib/i18n/page-meta'
import { m } from '~/paraglide/messages'
import { NotePage } from './NotePage.tsx'

export const meta = () => privatePageMeta(m.note_title())

export default NotePage
