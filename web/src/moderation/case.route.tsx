import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { CasePage } from './CasePage.tsx'

export const meta = () => privatePageMeta(m.case_title())

export default function ReportedCase() {
  return <CasePage />
}
