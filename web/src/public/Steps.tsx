import { m } from '~/paraglide/messages'
import { section, sectionText, sectionTitle } from './section-classes.ts'

const steps = [
  [m.step_1_title, m.step_1_text],
  [m.step_2_title, m.step_2_text],
  [m.step_3_title, m.step_3_text],
  [m.step_4_title, m.step_4_text],
  [m.step_5_title, m.step_5_text],
  [m.step_6_title, m.step_6_text],
] as const

/** Explains how PlateNote works, in six steps along a road (requirements §2). */
export function Steps() {
  return (
    <section id="how-it-works" className={section}>
      <div className="grid gap-5 sm:gap-8 lg:grid-cols-[1fr_1.4fr] lg:gap-16">
        <div className="lg:sticky lg:top-28 lg:self-start">
          <h2 className={sectionTitle}>{m.steps_title()}</h2>
          <p className={sectionText}>{m.steps_text()}</p>
          <p className="mt-3 max-w-prose border-l-4 border-line pl-3.5 text-sm leading-snug text-ink-soft sm:text-base lg:mt-6">
            {m.steps_sender()}
          </p>
        </div>
        {/* the road behind the steps, and the line along its middle */}
        <ol className="relative grid gap-y-2.5 py-3 sm:gap-y-4 [--road:3rem] before:absolute before:inset-y-0 before:w-(--road) before:rounded-2xl before:bg-asphalt after:absolute after:inset-y-5 after:left-[calc(var(--road)/2)] after:-translate-x-1/2 after:border-l-4 after:border-dashed after:border-lane lg:gap-y-6 lg:py-6 lg:[--road:5rem]">
          {steps.map(([title, text], i) => (
            <li key={title()} className="grid grid-cols-[var(--road)_1fr] gap-x-3.5 sm:gap-x-6">
              {/* the number on a small plate; to screen readers the list says it */}
              <span
                aria-hidden="true"
                className="plate-digits relative z-1 mx-auto mt-0.5 grid h-7 w-9.5 place-items-center self-start rounded-md border-2 border-plate-ink bg-plate text-lg leading-none font-bold text-plate-ink shadow-plate ring-2 ring-plate lg:h-10 lg:w-15 lg:text-xl"
              >
                {i + 1}
              </span>
              <div className="grid content-start gap-px lg:min-h-16 lg:gap-1">
                <h3 className="font-extrabold sm:text-lg lg:text-xl">{title()}</h3>
                <p className="max-w-prose text-sm leading-snug text-ink-soft sm:text-base">{text()}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
