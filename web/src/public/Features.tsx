import { PhoneCall } from 'lucide-react'
import type { ComponentType } from 'react'
import { m } from '~/paraglide/messages'
import { BlockedIn, HazardNoticed, MinorAccident, NoMoreNotes } from './art/situations.tsx'

const features: { Picture: ComponentType; title: () => string; text: () => string }[] = [
  { Picture: BlockedIn, title: m.feature_blocked_title, text: m.feature_blocked_text },
  { Picture: HazardNoticed, title: m.feature_hazard_title, text: m.feature_hazard_text },
  { Picture: MinorAccident, title: m.feature_accident_title, text: m.feature_accident_text },
  { Picture: NoMoreNotes, title: m.feature_notes_title, text: m.feature_notes_text },
]

/** Shows the four situations PlateNote is for (requirements §2), and what a message cannot do. */
export function Features() {
  return (
    <section id="features" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
        <h2 className="text-3xl font-extrabold sm:text-4xl">{m.features_title()}</h2>
        <p className="max-w-prose pt-3 text-lg text-ink-soft">{m.features_text()}</p>
        <ul className="grid gap-6 pt-10 sm:grid-cols-2 lg:gap-8">
          {features.map(({ Picture, title, text }) => (
            <li key={title()} className="overflow-hidden rounded-2xl border border-line bg-paper shadow-card">
              <Picture />
              <div className="grid gap-1.5 px-5 pt-5 pb-6 sm:px-6">
                <h3 className="text-xl font-extrabold">{title()}</h3>
                <p className="max-w-prose text-ink-soft">{text()}</p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-8 flex items-start gap-3 rounded-xl bg-sunken px-5 py-4 text-ink-soft">
          <PhoneCall aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger" />
          <span>
            <strong className="text-ink">{m.features_safety_title()}</strong> {m.features_safety()}
          </span>
        </p>
      </div>
    </section>
  )
}
