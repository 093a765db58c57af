import type { ReactNode } from 'react'
import { m } from '~/paraglide/messages'
import { ClaimedTwice, NoGate, PaperInTheRain, PrivateBothWays, SomeoneAtTheCurb } from './art/street.tsx'

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
export function AboutStory() {
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
