import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { ConsentPage } from './ConsentPage.tsx'

export const handle: RouteHandle = { accountPage: true }

export const meta = () => privatePageMeta(m.consent_title())

export default function Consent() {
  return <ConsentPage />
}
