import { m } from '~/paraglide/messages'
import { MainActions } from './MainActions.tsx'

/** Ends the landing page with the two main buttons once more. */
export function ClosingCall() {
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
