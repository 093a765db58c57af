import { getLocale } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import type { Route } from './+types/terms.route'
import { terms as en } from './content/en/terms.ts'
import { terms as fr } from './content/fr-CA/terms.ts'
import { TERMS_SECTIONS } from './content/shape.ts'
import { LegalPage } from './LegalPage.tsx'

const text = () => ({ en, 'fr-CA': fr })[getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicPageMeta(location, text())

export default function Terms() {
  return <LegalPage sections={TERMS_SECTIONS} text={text()} />
}
