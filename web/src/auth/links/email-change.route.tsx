import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { EmailChangePage } from './EmailChangePage.tsx'

export const meta = () => privatePageMeta(m.email_link_page_title())

export default function EmailChange() {
  return <EmailChangePage />
}
