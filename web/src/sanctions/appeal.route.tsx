import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { AppealPage } from './AppealPage.tsx'

export const meta = () => privatePageMeta(m.appeal_page_title())

export default function Appeal() {
  return <AppealPage />
}
