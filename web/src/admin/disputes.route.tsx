import { listDisputes } from '#contract/admin.ts'
import { addressOf } from '~/lib/api'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { DisputesPage } from './DisputesPage.tsx'

export const handle: RouteHandle = { reads: [addressOf(listDisputes, {})] }

export const meta = () => pageMeta(m.admin_disputes_title())

export default function Disputes() {
  return <DisputesPage />
}
