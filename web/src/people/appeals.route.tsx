import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { AppealsPage } from './AppealsPage.tsx'

export const meta = () => privatePageMeta(m.appeals_title())

export default function Appeals() {
  return <AppealsPage />
}
