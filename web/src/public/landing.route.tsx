import { PRODUCT } from '#contract/product.ts'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/landing.route'
import { ClosingCall } from './ClosingCall.tsx'
import { Faq } from './Faq.tsx'
import { Features } from './Features.tsx'
import { Hero } from './Hero.tsx'
import { Steps } from './Steps.tsx'
import { structuredData } from './structured-data.ts'
import { WhoSeesWhat } from './WhoSeesWhat.tsx'

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) => [
  ...publicPageMeta(location, { title: `${PRODUCT} – ${m.landing_title()}`, description: m.landing_description() }),
  { 'script:ld+json': structuredData() },
]

/** Renders `/` (requirements §2). Prerendered without scripts. */
export default function LandingPage() {
  return (
    <>
      <Hero />
      <Features />
      <Steps />
      <WhoSeesWhat />
      <Faq />
      <ClosingCall />
    </>
  )
}
