import { m } from '~/paraglide/messages'

/** The four steps of sending (requirements §2). */
export function HowItWorks() {
  const steps = [m.send_step_1(), m.send_step_2(), m.send_step_3(), m.send_step_4()]
  return (
    <section aria-labelledby="how-it-works" className="rounded-2xl bg-sunken p-5 sm:p-6">
      <h2 id="how-it-works" className="pb-4 text-xl font-extrabold">
        {m.send_how_it_works()}
      </h2>
      <ol className="grid gap-4">
        {steps.map((step, i) => (
          <li key={step} className="flex gap-3">
            <span
              aria-hidden="true"
              className="grid size-7 shrink-0 place-items-center rounded-full bg-pine-soft text-sm font-bold text-pine tabular-nums"
            >
              {i + 1}
            </span>
            <span className="pt-0.5">{step}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
