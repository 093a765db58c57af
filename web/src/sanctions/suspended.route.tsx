import { privatePageMeta } from '~/lib/i18n/page-meta'
import { m } from '~/paraglide/messages'
import { SuspendedPage } from './SuspendedPage.tsx'

export const meta = () => privatePageMeta(m.sanction_title_suspend())

export default function Suspended() {
  return <SuspendedPage />
}
