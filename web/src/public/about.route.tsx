import type { ReactNode } from 'react'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/about.route'
import { AboutValues } from './AboutValues.tsx'
import { PaperAndNote } from './art/PaperAndNote.tsx'
import { ClaimedTwice, NoGate, PaperInTheRain, PrivateBothWays, SomeoneAtTheCurb } from './art/street.tsx'
import { MainActions } from './MainActions.tsx'

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.about_title(), description: m.about_description() })

/** Renders /about-us (requirements §2): story and mission. Prerendered without scripts. */
export default function AboutPage() {
  return (
    <>
      <section className="mx-auto grid max-w-6xl items-center gap-8 px-4 pt-12 pb-14 sm:px-6 sm:pt-16 lg:grid-cols-[1.15fr_1fr] lg:gap-12 lg:pt-20 lg:pb-20">
        <div className="grid gap-5">
          <p className="text-lg font-bold text-pine">{m.about_title()}</p>
          <h1 className="text-[clamp(2.25rem,6vw,3.5rem)] leading-[1.08] font-black tracking-[-0.03em]">
            {m.about_heading()}
          </h1>
          <p className="max-w-[34rem] text-xl text-ink-soft">{m.about_lead()}</p>
        </div>
        <PaperAndNote />
      </section>
      <AboutStory />
      <Mission />
      <AboutValues />
      <section className="mx-auto grid max-w-3xl justify-items-center gap-5 px-4 pb-20 text-center sm:px-6 sm:pb-28">
        <h2 className="text-3xl font-extrabold sm:text-4xl">{m.about_closing_title()}</h2>
        <p className="max-w-prose pb-2 text-lg text-balance text-ink-soft">{m.about_closing_text()}</p>
        <MainActions />
      </section>
    </>
  )
}

/** Shows the mission, on the same background as `ClosingCall`. */
function Mission() {
  return (
    <section className="bg-call text-on-call print:bg-transparent print:text-ink">
      <div className="mx-auto grid max-w-4xl gap-4 px-4 py-16 sm:px-6 sm:py-24">
        <h2 className="text-lg font-bold text-signal print:text-ink">{m.about_mission_title()}</h2>
        <p className="text-[clamp(1.6rem,4.2vw,2.5rem)] leading-[1.2] font-extrabold tracking-[-0.015em] text-balance">
          {m.about_mission_text()}
        </p>
      </div>
    </section>
  )
}

const chapters: { scene: () => ReactNode; title: () => string; text: () => string }[] = [
  { scene: PaperInTheRain, title: m.about_paper_title, text: m.about_paper_text },
  { scene: SomeoneAtTheCurb, title: m.about_curb_title, text: m.about_curb_text },
  { scene: PrivateBothWays, title: m.about_private_title, text: m.about_private_text },
  { scene: NoGate, title: m.about_free_title, text: m.about_free_text },
  { scene: ClaimedTwice, title: m.about_dispute_title, text: m.about_dispute_text },
]

/**
 * Tells the story in five chapters along a street: a strip on wide screens, a piece above each chapter on small ones.
 */
function AboutStory() {
  return (
    <div className="mx-auto max-w-6xl px-4 pb-16 sm:px-6 sm:pb-24">
      <div className="overflow-hidden rounded-3xl border border-line bg-surface">
        {chapters.map(({ scene: Scene, title, text }) => (
          <section
            key={title()}
            className="grid sm:grid-cols-[13rem_1fr] lg:grid-cols-[18rem_1fr] print:block print:break-inside-avoid"
          >
            <div className="overflow-hidden bg-asphalt print:hidden">
              <Scene />
            </div>
            <div className="grid content-center gap-3 px-6 py-8 sm:px-10 sm:py-12 lg:px-16">
              <h2 className="text-2xl font-extrabold sm:text-3xl">{title()}</h2>
              <p className="max-w-prose text-lg text-ink-soft">{text()}</p>
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}
