import { PRODUCT } from '#contract/product.ts'
import { href } from '~/lib/i18n'
import { pageMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { LandingPage } from './LandingPage.tsx'

export const handle: RouteHandle = { static: true }

export const meta = () => [
  ...pageMeta(`${PRODUCT} – ${m.landing_title()}`, { description: m.landing_description(), listed: true }),
  { tagName: 'link', rel: 'alternate', hrefLang: 'en-CA', href: href('/', 'en') },
  { tagName: 'link', rel: 'alternate', hrefLang: 'fr-CA', href: href('/', 'fr-CA') },
]

export default LandingPage
