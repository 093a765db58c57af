import { privatePageMeta } from '~/lib/i18n/page-meta'
import { m } from '~/paraglide/messages'
import { ConsentPage } from './ConsentPage.tsx'

export const meta = () => privatePageMeta(m.consent_title())

export default function Consent() {
  return <ConsentPage />
}
