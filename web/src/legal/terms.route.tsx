import { getLocale } from '~/lib/i18n'
import { publicMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import type { Route } from './+types/terms.route'
import { terms as en } from './content/en/terms.ts'
import { terms as fr } from './content/fr-CA/terms.ts'
import { TERMS_SECTIONS } from './content/shape.ts'
import { LegalPage } from './LegalPage.tsx'

const text = () => ({ en, 'fr-CA': fr })[getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicMeta(location, text())

export default function Terms() {
  return <LegalPage sections={TERMS_SECTIONS} text={text()} />
}
