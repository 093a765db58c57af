import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { TwoStepPage } from './TwoStepPage.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.two_step_title())

export default function TwoStep() {
  return <TwoStepPage />
}
