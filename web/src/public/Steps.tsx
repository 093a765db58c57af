import { m } from '~/paraglide/messages'

const steps = [
  [m.step_1_title, m.step_1_text],
  [m.step_2_title, m.step_2_text],
  [m.step_3_title, m.step_3_text],
  [m.step_4_title, m.step_4_text],
  [m.step_5_title, m.step_5_text],
  [m.step_6_title, m.step_6_text],
] as const

/** How it works, in six steps (spec §2). */
export function Steps() {
  return (
    <section id="how-it-works" className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
      <h2 className="text-3xl font-extrabold sm:text-4xl">{m.steps_title()}</h2>
      <p className="max-w-prose pt-3 text-lg text-ink-soft">{m.steps_text()}</p>
      <ol className="grid gap-x-8 gap-y-10 pt-12 sm:grid-cols-2 lg:grid-cols-3">
        {steps.map(([title, text], i) => (
          <li key={title()} className="grid content-start gap-1.5">
            {/* the number, stamped on a small plate; the list says it to screen readers */}
            <span
              aria-hidden="true"
              className="plate-digits mb-2 grid h-9 w-16 place-items-center rounded-md border-2 border-plate-ink bg-plate text-xl leading-none font-bold text-plate-ink ring-1 ring-plate-edge"
            >
              {i + 1}
            </span>
            <h3 className="text-xl font-extrabold">{title()}</h3>
            <p className="max-w-prose text-ink-soft">{text()}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
