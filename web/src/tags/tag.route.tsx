import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { TagPage } from './TagPage.tsx'

export const meta = () => privatePageMeta(m.tag_title())

export default TagPage
