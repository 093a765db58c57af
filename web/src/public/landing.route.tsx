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
      <div className="mx-auto grid max-w-6xl items-center gap-12 px-4 pt-10 pb-16 sm:px-6 sm:pt-14 lg:grid-cols-[1.05fr_1fr] lg:gap-16 lg:pb-20">
        <div className="grid gap-6">
          {/* beside the picture each sentence stays on one line, the longer French one too */}
          <h1 className="text-[clamp(2.5rem,7vw,4.25rem)] leading-[1.05] font-black tracking-[-0.03em] lg:[&:lang(fr)]:text-[min(3.1rem,4.25vw)]">
            <span className="block">{m.hero_question()}</span> <span className="block">{m.hero_answer()}</span>
          </h1>
          <p className="max-w-[34rem] text-xl text-balance text-ink-soft">{m.hero_text()}</p>
          <MainActions />
          <ul className="flex flex-wrap gap-x-4 gap-y-2 pt-1">
            {facts.map((fact) => (
              <li key={fact()} className="flex items-center gap-2 font-semibold">
                <span className="grid size-6 place-items-center rounded-full bg-pine-soft text-pine">
                  <Check aria-hidden="true" className="size-4" strokeWidth={3} />
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
    <section className="mx-auto max-w-6xl px-4 pb-20 sm:px-6 sm:pb-28">
      <div className="relative overflow-hidden rounded-4xl bg-call text-on-call print:bg-transparent print:text-ink">
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
        <div className="relative grid gap-8 px-6 py-12 sm:px-12 sm:py-16 lg:grid-cols-[1fr_auto] lg:items-center">
          <div className="grid gap-3">
            <h2 className="text-3xl font-extrabold sm:text-4xl">{m.closing_title()}</h2>
            <p className="max-w-prose text-lg opacity-85">{m.closing_text()}</p>
          </div>
          <MainActions />
        </div>
      </div>
    </section>
  )
}
