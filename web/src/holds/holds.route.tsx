import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { HoldsPage } from './HoldsPage.tsx'

export const meta = () => privatePageMeta(m.admin_holds_title())

export default function Holds() {
  return <HoldsPage />
}
