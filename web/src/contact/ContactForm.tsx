import { Send, WifiOff } from 'lucide-react'
import { useId, useLayoutEffect, useState } from 'react'
import {
  CONTACT_EMAIL_MAX_BYTES,
  CONTACT_MESSAGE_MAX,
  CONTACT_NAME_MAX,
  type ContactForm as ContactMessage,
  contactForm,
} from '#contract/contact.ts'
import { paths } from '#contract/paths.ts'
import { failureOf } from '~/auth/api-failure'
import type { AuthFailure } from '~/auth/auth-error-text'
import { FailureNotice } from '~/auth/FailureNotice'
import { ApiError } from '~/lib/api'
import { getLocale, href } from '~/lib/i18n'
import { site } from '~/lib/site'
import { storedPerson } from '~/lib/stored-session'
import { faultsOf, useForm, type Verdict } from '~/lib/use-form'
import { useHydrated } from '~/lib/use-hydrated'
import { useOnline } from '~/lib/use-online'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmailField } from '~/ui/EmailField'
import { TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { type ContactDraft, forgetContactDraft, keepContactDraft, readContactDraft } from './contact-draft.ts'
import { sendContact } from './send-contact.ts'
import { subjectOptions } from './subjects.ts'

const FIELDS = ['name', 'email', 'subject', 'message'] as const satisfies (keyof ContactDraft)[]

const EMPTY: ContactDraft = { name: '', email: '', subject: '', message: '' }

export type Sender = { name: string; email: string }

type Props = {
  /** Who has just written and wants to write again; null: nobody yet. */
  again: Sender | null
  onSent: (sender: Sender) => void
}

/**
 * The contact form (spec §2, §5). Where scripts are off, or still on their way, the browser checks it and posts it by
 * itself to the address the server reads forms at (design decision 9).
 */
export function ContactForm({ again, onSent }: Props) {
  const hydrated = useHydrated()
  const online = useOnline()
  const offlineNote = useId()
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const [schema] = useState(() => contactForm(getLocale()))
  const { field, read, write, focus, pending, props } = useForm({
    start: EMPTY,
    prerendered: true,
    check: (draft) => faultsOf(schema.safeParse(draft)),
    send,
  })

  // before the first paint by the scripts: a field that fills itself later would take somebody by surprise
  useLayoutEffect(() => {
    const kept = readContactDraft()
    const known: Partial<ContactMessage> = again ?? storedPerson() ?? {}
    for (const name of FIELDS) {
      const value = kept[name] || known[name]
      if (value && !read()[name]) write(name, value)
    }
    if (again) focus('subject') // the panel with the button, and the focus with it, went away
  }, [again, read, write, focus])

  async function send(draft: ContactDraft) {
    setFailure(null)
    const message = schema.parse(draft)
    try {
      await sendContact(message)
    } catch (error) {
      return refusalOf(error)
    }
    forgetContactDraft()
    onSent({ name: message.name, email: message.email })
    return undefined
  }

  /** What a refusal says of fields; any other is shown below them. */
  function refusalOf(error: unknown): Verdict<ContactDraft> | undefined {
    if (error instanceof ApiError && FIELDS.some((name) => error.fields[name])) return error.fields
    setFailure(failureOf(error))
    return undefined
  }

  return (
    <form
      method="post"
      action={href(paths.contact())}
      noValidate={hydrated}
      className="grid gap-5"
      {...props}
      onChange={() => keepContactDraft(read())}
    >
      <div className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <TextField
          label={m.contact_name()}
          autoComplete="name"
          required
          maxLength={CONTACT_NAME_MAX}
          {...field('name')}
        />
        <EmailField label={m.contact_email()} required maxLength={CONTACT_EMAIL_MAX_BYTES} {...field('email')} />
      </div>
      <Select
        label={m.contact_subject()}
        placeholder={m.contact_subject_choose()}
        options={subjectOptions()}
        required
        {...field('subject')}
      />
      <TextArea
        label={m.contact_message()}
        hint={m.contact_message_hint()}
        rows={7}
        maxCharacters={CONTACT_MESSAGE_MAX}
        required
        {...field('message')}
      />
      <FailureNotice failure={failure}>
        <p>{m.contact_kept()}</p>
        <a href={`mailto:${site('SUPPORT_EMAIL')}`} className="link justify-self-start py-2.5">
          {m.contact_by_mail()}
        </a>
      </FailureNotice>
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
        {!online && failure === null && (
          <p id={offlineNote} className="flex items-start gap-2 text-sm font-semibold">
            <WifiOff aria-hidden="true" className="size-5 shrink-0" />
            {m.contact_offline()}
          </p>
        )}
      </div>
    </form>
  )
}
