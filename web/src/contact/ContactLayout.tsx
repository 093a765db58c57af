import { FileText, type LucideIcon, Mail, Siren, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact-subjects.ts'
import { paths } from '#contract/paths.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { siteSetting } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { EmailLink } from '~/ui/EmailLink'

/** Shows 'Get in Touch': the form (`children`), and beside it what is done faster or better in another way. */
export function ContactLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-6xl gap-x-16 gap-y-10 px-4 pt-10 pb-20 sm:px-6 sm:pt-16 sm:pb-28 lg:grid-cols-[minmax(0,38rem)_minmax(0,1fr)]">
      <div>
        <header className="grid gap-3 pb-6">
          <h1 className="text-4xl font-black tracking-[-0.025em] sm:text-5xl">{m.contact_title()}</h1>
          <p className="max-w-prose text-lg text-ink-soft">{m.contact_intro()}</p>
        </header>
        {/* above the form: on a phone what is beside it comes below it */}
        <p className="mb-6 flex items-start gap-3 rounded-xl border border-danger/30 bg-danger-soft p-4">
          <Siren aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-danger" />
          <span>
            <strong className="text-danger">{m.contact_danger()}</strong> {m.contact_danger_text()}
          </span>
        </p>
        <Card>{children}</Card>
      </div>
      <aside aria-label={m.contact_aside()} className="grid content-start gap-8 lg:pt-4">
        <Envelope />
        <ContactOption icon={Mail} title={m.contact_mail_title()}>
          <p>{m.contact_mail_text()}</p>
          <EmailLink address={siteSetting('SUPPORT_EMAIL')} className="inline-flex min-h-11 items-center" />
        </ContactOption>
        <ContactOption icon={FileText} title={m.contact_dispute_title()}>
          <p>{m.contact_dispute_text()}</p>
          <Link to={paths.vehicles()} reloadDocument className="link inline-flex min-h-11 items-center">
            {m.nav_vehicles()}
          </Link>
        </ContactOption>
        <ContactOption icon={UserX} title={m.contact_delete_title()}>
          <p>{m.contact_delete_text()}</p>
          <Link to={paths.profile()} reloadDocument className="link inline-flex min-h-11 items-center">
            {m.contact_delete_link()}
          </Link>
        </ContactOption>
      </aside>
    </div>
  )
}

function ContactOption({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <section className="flex gap-4">
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-pine-soft text-pine">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="grid min-w-0 gap-1 text-ink-soft">
        <h2 className="text-lg font-extrabold text-ink">{title}</h2>
        {children}
      </div>
    </section>
  )
}

/** Returns the subjects to choose from, in the language of the page. */
export const subjectOptions = () =>
  CONTACT_SUBJECTS.map((value) => ({ value, label: contactSubjectName(value, getLocale()) }))

/** Draws a licence plate in an envelope: pure decoration, in the colours of the theme. */
function Envelope() {
  return (
    <svg aria-hidden="true" viewBox="0 0 320 230" className="mx-auto hidden h-auto w-full max-w-xs lg:block">
      <ellipse cx="160" cy="216" rx="128" ry="9" className="fill-ink/8" />
      {/* the open flap and the inside */}
      <path
        d="M44 102 150.5 25.6a16 16 0 0 1 19 0L276 102v92H44Z"
        className="fill-sunken stroke-line-strong"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {/* the plate, as ui/Plate draws it */}
      <g transform="rotate(-4 160 96)">
        <rect x="84" y="50" width="152" height="84" rx="10" className="fill-plate-edge" />
        <rect x="85.5" y="51.5" width="149" height="81" rx="8.5" className="fill-plate" />
        <rect x="90" y="56" width="140" height="72" rx="6" className="fill-none stroke-plate-ink" strokeWidth="2" />
        <text
          x="160"
          y="98"
          textAnchor="middle"
          textLength="112"
          lengthAdjust="spacingAndGlyphs"
          className="plate-digits fill-plate-ink text-[34px] font-bold forced-color-adjust-none"
        >
          {m.contact_picture_plate()}
        </text>
      </g>
      {/* the front */}
      <path
        d="M44 102 160 176l116-74v98a12 12 0 0 1-12 12H56a12 12 0 0 1-12-12Z"
        className="fill-surface stroke-line-strong"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path
        d="m48 208 84-50M272 208l-84-50"
        className="fill-none stroke-line-strong"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
