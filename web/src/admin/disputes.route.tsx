import { pageMeta } from '~/lib/page-meta'
import { m } from '~/paraglide/messages'
import { DisputesPage } from './DisputesPage.tsx'

export const meta = () => pageMeta(m.admin_disputes_title())

export default function Disputes() {
  return <DisputesPage />
}
