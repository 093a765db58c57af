import { PhoneCall } from 'lucide-react'
import type { ComponentType } from 'react'
import { m } from '~/paraglide/messages'
import { BlockedIn, HazardNoticed, MinorAccident, NoMoreNotes } from './art/situations.tsx'
import { section, sectionText, sectionTitle } from './section-classes.ts'

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
      <div className={section}>
        <h2 className={sectionTitle}>{m.features_title()}</h2>
        <p className={sectionText}>{m.features_text()}</p>
        <ul className="grid gap-x-8 gap-y-3.5 pt-5 sm:gap-y-8 sm:pt-8 md:grid-cols-2 lg:gap-x-14 lg:gap-y-10 lg:pt-12">
          {features.map(({ Picture, title, text }) => (
            <li
              key={title()}
              className="grid grid-cols-[6rem_1fr] items-center gap-3.5 md:grid-cols-[7.5rem_1fr] md:gap-5 lg:grid-cols-[13.5rem_1fr] lg:gap-7"
            >
              <Picture />
              <div className="grid gap-0.5 lg:gap-1.5">
                <h3 className="font-extrabold sm:text-lg lg:text-xl">{title()}</h3>
                <p className="text-sm leading-snug text-ink-soft sm:text-[0.9375rem] lg:text-base lg:leading-normal">
                  {text()}
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-5 flex sm:mt-8 items-start gap-2.5 rounded-xl bg-sunken px-3.5 py-2.5 text-sm leading-snug text-ink-soft sm:text-base lg:mt-12 lg:px-5 lg:py-4">
          <PhoneCall aria-hidden="true" className="size-5 shrink-0 text-danger" />
          <span>
            <strong className="text-ink">{m.features_safety_title()}</strong> {m.features_safety()}
          </span>
        </p>
      </div>
    </section>
  )
}
