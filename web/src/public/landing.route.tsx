import { Check } from 'lucide-react'
import { PRODUCT } from '#contract/product.ts'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/landing.route'
import { Faq } from './Faq.tsx'
import { Features } from './Features.tsx'
import { HeroPicture } from './HeroPicture.tsx'
import { MainActions } from './MainActions.tsx'
import { Steps } from './Steps.tsx'
import { sectionTitle } from './section-classes.ts'
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

const facts = [m.fact_private, m.fact_free, m.fact_no_documents]

/** Shows what PlateNote is in one sentence, the two main buttons, why to trust it, and a plate with a message. */
function Hero() {
  return (
    <section className="overflow-hidden">
      <div className="mx-auto grid max-w-6xl items-center gap-4 px-4 pt-5 pb-6 sm:gap-12 sm:px-6 sm:pt-14 sm:pb-16 lg:grid-cols-[1.05fr_1fr] lg:gap-16 lg:pb-20">
        <div className="grid gap-4 sm:gap-6">
          {/* each sentence stays on one line, on a phone and beside the picture, the longer French one too */}
          <h1 className="text-[clamp(2.5rem,7vw,4.25rem)] leading-[1.05] font-black tracking-[-0.03em] max-sm:text-[clamp(1.75rem,8.8vw,2.5rem)] max-sm:[&:lang(fr)]:text-[7.7vw] lg:[&:lang(fr)]:text-[min(3.1rem,4.25vw)]">
            <span className="block">{m.hero_question()}</span> <span className="block">{m.hero_answer()}</span>
          </h1>
          <p className="max-w-[34rem] leading-snug text-pretty text-ink-soft sm:leading-normal sm:text-xl sm:text-balance">
            {m.hero_text()}
          </p>
          <MainActions />
          <ul className="flex flex-wrap gap-x-3.5 gap-y-1.5 sm:gap-x-4 sm:gap-y-2 sm:pt-1">
            {facts.map((fact) => (
              <li key={fact()} className="flex items-center gap-1.5 text-sm font-semibold sm:gap-2 sm:text-base">
                <span className="grid size-5 place-items-center rounded-full bg-pine-soft text-pine sm:size-6">
                  <Check aria-hidden="true" className="size-3.5 sm:size-4" strokeWidth={3} />
                </span>
                {fact()}
              </li>
            ))}
          </ul>
        </div>
        <HeroPicture />
      </div>
    </section>
  )
}

/** Ends the landing page with the two main buttons once more. */
function ClosingCall() {
  return (
    <section className="mx-auto max-w-6xl sm:px-6 sm:pb-24">
      <div className="relative overflow-hidden bg-call sm:rounded-4xl text-on-call print:bg-transparent print:text-ink">
        {/* parking bays, from above */}
        <svg
          viewBox="0 0 400 300"
          preserveAspectRatio="xMaxYMid slice"
          aria-hidden="true"
          className="absolute inset-0 size-full"
        >
          <path
            d="M150 330L270-30M230 330L350-30M310 330L430-30M390 330L510-30"
            className="stroke-white/7"
            strokeWidth="5"
          />
        </svg>
        <div className="relative grid gap-5 px-4 py-7 sm:gap-8 sm:px-12 sm:py-16 lg:grid-cols-[1fr_auto] lg:items-center">
          <div className="grid gap-2 sm:gap-3">
            <h2 className={sectionTitle}>{m.closing_title()}</h2>
            <p className="max-w-prose text-[0.9375rem] leading-snug opacity-85 sm:text-lg sm:leading-normal">
              {m.closing_text()}
            </p>
          </div>
          <MainActions />
        </div>
      </div>
    </section>
  )
}
