import { m } from '~/paraglide/messages'
import { MainActions } from './MainActions.tsx'

/** The end of the landing page: the two buttons once more. */
export function ClosingCall() {
  return (
    <section className="mx-auto max-w-6xl px-4 pb-20 sm:px-6 sm:pb-28">
      {/* dark green in both themes */}
      <div className="grid gap-8 rounded-3xl bg-[#123a2b] px-6 py-12 text-[#edf1ea] sm:px-12 lg:grid-cols-[1fr_auto] lg:items-center">
        <div className="grid gap-3">
          <h2 className="text-3xl font-extrabold sm:text-4xl">{m.closing_title()}</h2>
          <p className="max-w-prose text-lg opacity-85">{m.closing_text()}</p>
        </div>
        <MainActions />
      </div>
    </section>
  )
}
