import { Send } from 'lucide-react'
import { CONTACT_EMAIL_MAX_BYTES, CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX } from '#contract/contact.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { siteSetting } from '~/lib/page/site'
import { plainField } from '~/lib/plain-form/slots'
import { m } from '~/paraglide/messages'
import { PlainForm, PlainFormButton, PlainFormFailure, PlainTextArea } from '~/plain-form/PlainForm'
import { EmailField, TextField } from '~/ui/Field'
import { OfflineNote } from '~/ui/OfflineBanner'
import { Select } from '~/ui/Select'
import type { Route } from './+types/contact.route'
import { ContactLayout, subjectOptions } from './ContactLayout.tsx'

export const handle: RouteHandle = { plainForm: true }

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.contact_title(), description: m.contact_description() })

/** The pause before a message is sent (requirements §9). */
const DELAY_MS = 1000

/** Renders /contact-us (requirements §2, §5; decision contact-form). */
export default function ContactPage() {
  return (
    <ContactLayout>
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
          options={subjectOptions()}
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
    </ContactLayout>
  )
}
