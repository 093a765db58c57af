import { ArrowDown, ArrowUp, Eye, EyeOff } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'

type Perspective = { when: () => string; title: () => string; sees: (() => string)[]; never: () => string }

const owner: Perspective = {
  when: m.sees_when_writing,
  title: m.sees_owner_title,
  sees: [m.sees_owner_1, m.sees_owner_2, m.sees_owner_3],
  never: m.sees_owner_never,
}
const sender: Perspective = {
  when: m.sees_when_written_to,
  title: m.sees_sender_title,
  sees: [m.sees_sender_1, m.sees_sender_2, m.sees_sender_3],
  never: m.sees_sender_never,
}

/** Shows what each side of a message learns about the other (decision mutual-anonymity): the fields of both types, in words. */
export function WhoSeesWhat() {
  return (
    <section id="privacy" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
        <h2 className="text-3xl font-extrabold sm:text-4xl">{m.sees_title()}</h2>
        <p className="max-w-prose pt-3 text-lg text-ink-soft">{m.sees_text()}</p>
        <div className="grid items-stretch gap-4 pt-10 lg:grid-cols-[1fr_auto_1fr] lg:gap-6">
          <SidePanel side={owner} />
          {/* the plate is all that connects the two */}
          <div aria-hidden="true" className="flex items-center justify-center gap-4 text-ink-soft lg:flex-col lg:gap-5">
            <ArrowUp className="size-6 lg:-rotate-90" />
            <Plate plate="NOTE416" province="Ontario" size="md" />
            <ArrowDown className="size-6 lg:-rotate-90" />
          </div>
          <SidePanel side={sender} />
        </div>
        <p className="max-w-prose pt-8 text-ink-soft">{m.sees_note()}</p>
        <Link to={paths.privacy()} className="link mt-2 inline-flex min-h-11 items-center">
          {m.sees_privacy_link()}
        </Link>
      </div>
    </section>
  )
}

function SidePanel({ side: { when, title, sees, never } }: { side: Perspective }) {
  return (
    <div className="flex flex-col overflow-hidden rounded-2xl border border-line bg-paper shadow-card">
      <h3 className="px-5 pt-6 text-xl font-extrabold sm:px-6">
        <span className="block pb-1 text-base font-semibold tracking-normal text-ink-soft">{when()}</span> {title()}
      </h3>
      <ul className="grid grow content-start gap-3 px-5 pt-4 pb-6 sm:px-6">
        {sees.map((text) => (
          <li key={text()} className="flex gap-3">
            <Eye aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
            {text()}
          </li>
        ))}
      </ul>
      <p className="flex gap-3 border-t border-line bg-sunken px-5 py-4 sm:px-6">
        <EyeOff aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
        <span>
          <strong>{m.sees_never()}</strong>
          <br />
          {never()}
        </span>
      </p>
    </div>
  )
}
