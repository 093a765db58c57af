import { CarFront, FileX2, type LucideIcon, TriangleAlert, Wrench } from 'lucide-react'
import { m } from '~/paraglide/messages'

const features: { icon: LucideIcon; title: () => string; text: () => string }[] = [
  { icon: CarFront, title: m.feature_blocked_title, text: m.feature_blocked_text },
  { icon: TriangleAlert, title: m.feature_hazard_title, text: m.feature_hazard_text },
  { icon: Wrench, title: m.feature_accident_title, text: m.feature_accident_text },
  { icon: FileX2, title: m.feature_notes_title, text: m.feature_notes_text },
]

/** The four situations it is for (spec §2). */
export function Features() {
  return (
    <section id="features" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
        <h2 className="text-3xl font-extrabold sm:text-4xl">{m.features_title()}</h2>
        <p className="max-w-prose pt-3 text-lg text-ink-soft">{m.features_text()}</p>
        <ul className="grid gap-x-10 gap-y-10 pt-12 sm:grid-cols-2">
          {features.map(({ icon: Icon, title, text }) => (
            <li key={title()} className="flex gap-5">
              <span className="grid size-14 shrink-0 place-items-center rounded-xl bg-pine-soft text-pine">
                <Icon aria-hidden="true" className="size-7" strokeWidth={1.75} />
              </span>
              <div className="grid content-start gap-1.5">
                <h3 className="text-xl font-extrabold">{title()}</h3>
                <p className="max-w-prose text-ink-soft">{text()}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
