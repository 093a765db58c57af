import { Check } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { HeroPicture } from './HeroPicture.tsx'
import { MainActions } from './MainActions.tsx'

const facts = [m.fact_private, m.fact_free, m.fact_no_documents]

/** Shows what PlateNote is in one sentence, the two main buttons, why to trust it, and a plate with a message. */
export function Hero() {
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
