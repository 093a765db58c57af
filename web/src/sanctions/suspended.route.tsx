import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { SuspendedPage } from './SuspendedPage.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.sanction_title_suspend())

export default function Suspended() {
  return <SuspendedPage />
}
