import { m } from '~/paraglide/messages'

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
    <section id="how-it-works" className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
      <div className="grid gap-10 lg:grid-cols-[1fr_1.4fr] lg:gap-16">
        <div className="lg:sticky lg:top-28 lg:self-start">
          <h2 className="text-3xl font-extrabold sm:text-4xl">{m.steps_title()}</h2>
          <p className="max-w-prose pt-3 text-lg text-ink-soft">{m.steps_text()}</p>
          <p className="mt-6 max-w-prose border-l-4 border-line pl-4 text-ink-soft">{m.steps_sender()}</p>
        </div>
        {/* the road behind the steps */}
        <ol className="relative grid before:absolute before:inset-y-0 before:left-0 before:w-20 before:rounded-3xl before:bg-asphalt">
          {steps.map(([title, text], i) => (
            <li
              key={title()}
              className="relative grid grid-cols-[5rem_1fr] gap-x-5 not-last:before:absolute not-last:before:top-20 not-last:before:-bottom-5 not-last:before:left-10 not-last:before:-translate-x-1/2 not-last:before:border-l-4 not-last:before:border-dashed not-last:before:border-lane sm:gap-x-8"
            >
              {/* the number on a small plate; to screen readers the list says it */}
              <span
                aria-hidden="true"
                className="plate-digits mx-auto mt-7 grid h-10 w-15 place-items-center self-start rounded-md border-2 border-plate-ink bg-plate text-xl leading-none font-bold text-plate-ink shadow-plate ring-2 ring-plate"
              >
                {i + 1}
              </span>
              <div className="grid min-h-29 content-start gap-1 py-6">
                <h3 className="pt-1 text-xl font-extrabold">{title()}</h3>
                <p className="max-w-prose text-ink-soft">{text()}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
