import { PRODUCT } from '#contract/product.ts'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/landing.route'
import { LandingPage } from './LandingPage.tsx'
import { structuredData } from './structured-data.ts'

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => [
  ...publicPageMeta(location, { title: `${PRODUCT} – ${m.landing_title()}`, description: m.landing_description() }),
  { 'script:ld+json': structuredData() },
]

export default LandingPage
