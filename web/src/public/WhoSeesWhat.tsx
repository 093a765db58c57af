import { ArrowLeft, ArrowRight, Eye, EyeOff } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'
import { section, sectionText, sectionTitle } from './section-classes.ts'

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
      <div className={section}>
        <h2 className={sectionTitle}>{m.sees_title()}</h2>
        <p className={sectionText}>{m.sees_text()}</p>
        {/* the rows of both panels are as high as each other */}
        <div className="grid gap-x-2.5 pt-3.5 sm:pt-8 min-[22rem]:grid-cols-2 sm:gap-x-6 lg:grid-cols-[1fr_auto_1fr] lg:pt-12">
          <SidePanel side={owner} />
          {/* the plate is all that connects the two */}
          <div
            aria-hidden="true"
            className="col-span-full -order-1 flex items-center justify-center gap-3 pb-2.5 text-ink-soft sm:pb-5 lg:order-none lg:col-span-1 lg:row-span-3 lg:flex-col lg:gap-5 lg:pb-0"
          >
            <ArrowLeft className="size-6" />
            <Plate plate="NOTE416" province="Ontario" size="md" className="max-sm:w-[min(7rem,35vw)]" />
            <ArrowRight className="size-6" />
          </div>
          <SidePanel side={sender} />
        </div>
        <p className="max-w-prose pt-3 text-sm sm:pt-6 leading-snug text-ink-soft sm:text-base lg:pt-8">
          {m.sees_note()}{' '}
          <Link to={paths.privacy()} className="link">
            {m.sees_privacy_link()}
          </Link>
        </p>
      </div>
    </section>
  )
}

function SidePanel({ side: { when, title, sees, never } }: { side: Perspective }) {
  return (
    <div className="row-span-3 grid grid-rows-subgrid overflow-hidden rounded-2xl border border-line bg-paper text-sm leading-snug shadow-card max-[22rem]:not-last:mb-3 sm:text-base sm:leading-normal">
      <h3 className="self-end px-3 pt-3 text-[0.9375rem] font-extrabold sm:px-6 sm:pt-6 sm:text-xl">
        <span className="block pb-0.5 text-sm sm:pb-1 font-semibold tracking-normal text-ink-soft sm:text-base">
          {when()}
        </span>{' '}
        {title()}
      </h3>
      <ul className="grid content-start gap-1.5 px-3 pt-2 pb-3 sm:gap-3 sm:px-6 sm:pt-4 sm:pb-6">
        {sees.map((text) => (
          <li key={text()} className="flex gap-3">
            <Eye aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine max-sm:hidden" />
            {text()}
          </li>
        ))}
      </ul>
      <p className="flex gap-2 border-t border-line bg-sunken px-3 py-2.5 sm:gap-3 sm:px-6 sm:py-4">
        <EyeOff aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
        <span>
          <strong>{m.sees_never()}</strong>
          <br />
          {never()}
        </span>
      </p>
    </div>
  )
}
