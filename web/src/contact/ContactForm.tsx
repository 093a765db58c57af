import { Send } from 'lucide-react'
import { useId, useLayoutEffect } from 'react'
import { trimEmail } from '#contract/addresses.ts'
import {
  CONTACT_EMAIL_MAX_BYTES,
  CONTACT_MESSAGE_MAX,
  CONTACT_NAME_MAX,
  ContactForm as ContactMessage,
  sendEmail,
} from '#contract/contact.ts'
import { CONTACT_SUBJECTS, type ContactSubject } from '#contract/contact-subjects.ts'
import { paths } from '#contract/paths.ts'
import { AuthFailureAlert } from '~/auth/AuthFailureAlert'
import { toFailure } from '~/auth/auth-request'
import { asOneOf, readDraftTexts, saveDraft } from '~/lib/form/drafts'
import { useForm, zodErrors } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { useHydrated, useOnline } from '~/lib/page/browser-state'
import { siteSetting } from '~/lib/page/site'
import { getStoredUser } from '~/lib/session/stored-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmailField, TextField } from '~/ui/Field'
import { OfflineNote } from '~/ui/OfflineBanner'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { subjectOptions } from './ContactLayout.tsx'

type ContactDraft = { name: string; email: string; subject: ContactSubject | ''; message: string }

const FIELDS = ['name', 'email', 'subject', 'message'] as const satisfies (keyof ContactDraft)[]

const DRAFT_NAME = 'contact'

/** The pause before a message is sent (requirements §9). */
const DELAY_MS = 1000

const DEFAULT_VALUES: ContactDraft = { name: '', email: '', subject: '', message: '' }

const ERROR_TEXTS: Record<string, (values: { maximum: number }) => string> = {
  name_missing: () => m.field_name_missing(),
  email_invalid: () => m.field_email_invalid(),
  email_unwritable: () => m.field_email_unwritable(),
  subject_missing: () => m.field_subject_missing(),
  message_missing: () => m.field_message_missing(),
  unsendable: () => m.field_unsendable(),
  max_characters: m.field_max_characters,
}
const errorTexts = (codes: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [
      name,
      ERROR_TEXTS[code]?.({ maximum: name === 'name' ? CONTACT_NAME_MAX : CONTACT_MESSAGE_MAX }),
    ]),
  )

export type Sender = { name: string; email: string }

type Props = {
  /** Who has just sent a message and wants to send another; null at first. */
  previousSender: Sender | null
  onSent: (sender: Sender) => void
}

/**
 * Shows the contact form (requirements §2, §5). Without scripts, or until they have loaded, the browser itself
 * validates it and posts it to the address where the server accepts forms (decision contact-form).
 */
export function ContactForm({ previousSender, onSent }: Props) {
  const hydrated = useHydrated()
  const online = useOnline()
  const offlineNote = useId()
  const { register, getValues, setValue, setFocus, pending, failure, formProps } = useForm({
    defaultValues: DEFAULT_VALUES,
    uncontrolled: true,
    validate: (draft) => errorTexts(zodErrors(ContactMessage.safeParse(draft))),
    onSubmit: send,
  })

  // before the first paint by the scripts: a field that is filled in later would be a surprise
  useLayoutEffect(() => {
    const savedDraft = readContactDraft()
    const known: Partial<ContactMessage> = previousSender ?? getStoredUser() ?? {}
    for (const name of FIELDS) {
      const value = savedDraft[name] || known[name]
      if (value && !getValues()[name]) setValue(name, value)
    }
    if (previousSender) setFocus('subject') // the panel is gone, and with it the button that had the focus
  }, [previousSender, getValues, setValue, setFocus])

  async function send(draft: ContactDraft) {
    const message = ContactMessage.parse(draft)
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
    await call(sendEmail, { type: 'contact', ...message })
    saveDraft(DRAFT_NAME, undefined)
    onSent({ name: message.name, email: trimEmail(draft.email) })
  }

  return (
    <form
      method="post"
      action={href(paths.contact())}
      noValidate={hydrated}
      className="grid gap-5"
      {...formProps}
      onChange={() => saveDraft(DRAFT_NAME, getValues())}
    >
      <div className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <TextField
          label={m.contact_name()}
          autoComplete="name"
          required
          maxLength={CONTACT_NAME_MAX}
          {...register('name')}
        />
        <EmailField label={m.contact_email()} required maxLength={CONTACT_EMAIL_MAX_BYTES} {...register('email')} />
      </div>
      <Select
        label={m.contact_subject()}
        placeholder={m.contact_subject_choose()}
        options={subjectOptions()}
        required
        {...register('subject')}
      />
      <TextArea
        label={m.contact_message()}
        hint={m.contact_message_hint()}
        rows={7}
        maxCharacters={CONTACT_MESSAGE_MAX}
        required
        {...register('message')}
      />
      <AuthFailureAlert failure={failure === null ? null : toFailure(failure)}>
        <p>{m.contact_kept()}</p>
        <a href={`mailto:${siteSetting('SUPPORT_EMAIL')}`} className="link justify-self-start py-2.5">
          {m.contact_by_mail()}
        </a>
      </AuthFailureAlert>
      <div className="grid gap-3">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          pending={pending}
          pendingText={m.contact_sending()}
          aria-describedby={online ? undefined : offlineNote}
        >
          <Send aria-hidden="true" className="size-5" />
          {m.contact_submit()}
        </Button>
        {!online && failure === null && <OfflineNote id={offlineNote}>{m.contact_offline()}</OfflineNote>}
      </div>
    </form>
  )
}

/** Returns what was being written in this tab; what is missing is empty. */
function readContactDraft(): ContactDraft {
  const texts = readDraftTexts(DRAFT_NAME, FIELDS)
  return { ...texts, subject: asOneOf(CONTACT_SUBJECTS, texts.subject) }
}
