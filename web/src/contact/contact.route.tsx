import { FileText, type LucideIcon, Mail, Send, Siren, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { CONTACT_EMAIL_MAX_BYTES, CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX } from '#contract/contact.ts'
import { CONTACT_SUBJECTS, contactSubjectName } from '#contract/contact-subjects.ts'
import { paths } from '#contract/paths.ts'
import { getLocale, href, Link } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { siteSetting } from '~/lib/page/site'
import { plainField } from '~/lib/plain-form/slots'
import { m } from '~/paraglide/messages'
import { PlainForm, PlainFormButton, PlainFormFailure, PlainTextArea } from '~/plain-form/PlainForm'
import { Card } from '~/ui/Card'
import { EmailLink } from '~/ui/EmailLink'
import { EmailField, TextField } from '~/ui/Field'
import { OfflineNote } from '~/ui/OfflineBanner'
import { Select } from '~/ui/Select'
import type { Route } from './+types/contact.route'

export const handle: RouteHandle = { plainForm: true }

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.contact_title(), description: m.contact_description() })

/** The pause before a message is sent (requirements §9). */
const DELAY_MS = 1000

/** Renders /contact-us (requirements §2, §5; decision contact-form): the form, and beside it what is done faster or better in another way. */
export default function ContactPage() {
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
            <a href="tel:911" className="font-bold text-danger underline">
              {m.contact_danger()}
            </a>{' '}
            {m.contact_danger_text()}
          </span>
        </p>
        <Card>
          <ContactForm />
        </Card>
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

function ContactForm() {
  return (
    <PlainForm action={href(paths.contact())} data-draft="contact" data-delay={DELAY_MS} className="grid gap-5">
      <PlainFormFailure>
        <p>{m.contact_kept()}</p>
        <a href={`mailto:${siteSetting('SUPPORT_EMAIL')}`} className="link justify-self-start py-2.5">
          {m.contact_by_mail()}
        </a>
      </PlainFormFailure>
      <div className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <TextField
          label={m.contact_name()}
          autoComplete="name"
          required
          maxLength={CONTACT_NAME_MAX}
          data-error={m.field_name_missing()}
          {...plainField('name')}
        />
        <EmailField
          label={m.contact_email()}
          required
          maxLength={CONTACT_EMAIL_MAX_BYTES}
          pattern=".*@.*"
          data-error={m.field_email_invalid()}
          {...plainField('email')}
        />
      </div>
      <Select
        label={m.contact_subject()}
        placeholder={m.contact_subject_choose()}
        options={CONTACT_SUBJECTS.map((value) => ({ value, label: contactSubjectName(value, getLocale()) }))}
        required
        data-error={m.field_subject_missing()}
        {...plainField('subject')}
      />
      <PlainTextArea
        label={m.contact_message()}
        hint={m.contact_message_hint()}
        rows={7}
        maxCharacters={CONTACT_MESSAGE_MAX}
        required
        data-error={m.field_message_missing()}
        {...plainField('message')}
      />
      <div className="grid gap-3">
        <PlainFormButton icon={Send} pendingText={m.contact_sending()}>
          {m.contact_submit()}
        </PlainFormButton>
        <OfflineNote id="offline-note" data-offline-note="" hidden>
          {m.contact_offline()}
        </OfflineNote>
      </div>
    </PlainForm>
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
