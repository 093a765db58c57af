import { getLocale } from '~/lib/i18n'
import { publicMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import type { Route } from './+types/privacy.route'
import { privacy as en } from './content/en/privacy.ts'
import { privacy as fr } from './content/fr-CA/privacy.ts'
import { PRIVACY_SECTIONS } from './content/shape.ts'
import { LegalPage } from './LegalPage.tsx'

const text = () => ({ en, 'fr-CA': fr })[getLocale()]

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => publicMeta(location, text())

export default function Privacy() {
  return <LegalPage sections={PRIVACY_SECTIONS} text={text()} />
}
