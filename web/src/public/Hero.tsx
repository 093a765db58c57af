import { m } from '~/paraglide/messages'
import { HeroPicture } from './HeroPicture.tsx'
import { MainActions } from './MainActions.tsx'

/** What it is in one sentence, the two buttons, and the product itself: a plate and a message. */
export function Hero() {
  return (
    <section className="overflow-hidden">
      <div className="mx-auto grid max-w-6xl items-center gap-12 px-4 pt-12 pb-16 sm:px-6 sm:pt-16 lg:grid-cols-[1.05fr_1fr] lg:pt-20 lg:pb-24">
        <div className="grid gap-6">
          <h1 className="text-[clamp(2.5rem,7vw,4rem)] leading-[1.05] font-black tracking-[-0.03em]">
            {m.hero_title()}
          </h1>
          <p className="max-w-[34rem] text-xl text-ink-soft">{m.hero_text()}</p>
          <MainActions />
          <p className="text-sm font-semibold text-ink-soft">{m.hero_facts()}</p>
        </div>
        <HeroPicture />
      </div>
    </section>
  )
}
