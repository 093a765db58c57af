import { CircleCheck, Inbox, Reply, Smartphone, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { plainField, slot } from '~/lib/plain-form/slots'
import { m } from '~/paraglide/messages'
import {
  LocalTime,
  PlainForm,
  PlainFormButton,
  PlainFormFailure,
  PlainPlate,
  PlainTextArea,
} from '~/plain-form/PlainForm'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'

export const handle: RouteHandle = { plainForm: true, canonicalPath: paths.note() }

export const meta = () => privatePageMeta(m.note_for_you())

/** The page responds to the reply: that is announced first. */
const FOCUSED = { autoFocus: true, tabIndex: -1 }

/** Renders the page that the server responds with to code and plate of a note: what it says, and what its reader can do. */
export default function OpenedNotePage() {
  return (
    <div className="mx-auto grid w-full max-w-xl gap-6 px-4 pt-8 pb-20 sm:px-6 sm:pt-14">
      <header className="grid gap-4">
        <h1 tabIndex={-1} className="text-4xl font-black tracking-[-0.025em] outline-none sm:text-5xl">
          {m.note_for_you()}
        </h1>
        <PlainPlate />
      </header>
      <Card className="grid gap-4">
        <LocalTime at={slot('LEFT_AT')} text={m.note_left_at({ date: '{time}' })} data-clock={undefined} />
        <p data-if={slot('REASON')} className="text-lg font-bold">
          {slot('REASON')}
        </p>
        <blockquote dir="auto" lang={slot('TEXT_LANGUAGE')} className="text-lg whitespace-pre-wrap">
          {slot('TEXT')}
        </blockquote>
        <p className="text-sm text-ink-soft">{m.note_anonymous()}</p>
      </Card>
      <PlainFormFailure />
      <Card>
        <NoteForm action="reply" whileSlot="CAN_REPLY">
          <PlainTextArea
            label={m.note_reply()}
            hint={m.note_reply_hint()}
            rows={3}
            maxCharacters={MESSAGE_MAX}
            required
            data-error={m.note_reply_missing()}
            {...plainField('reply')}
          />
          <PlainFormButton icon={Reply} size="md" pendingText={m.note_replying()}>
            {m.note_reply_once()}
          </PlainFormButton>
        </NoteForm>
        <p data-if={slot('REPLIED')} {...FOCUSED} className="flex items-start gap-3 font-bold outline-none">
          <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-good" />
          {m.note_replied()}
        </p>
        <div data-if={slot('UNSENT')} className="grid gap-1">
          <p className="font-bold">{m.unsent_title()}</p>
          <blockquote dir="auto" className="whitespace-pre-wrap">
            {slot('UNSENT')}
          </blockquote>
        </div>
      </Card>
      <Register />
      {/* asks once before anything happens */}
      <details className="group">
        <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-lg px-2 font-bold text-ink-soft">
          <Trash2 aria-hidden="true" className="size-5" />
          {m.note_unwanted()}
        </summary>
        <NoteForm action="unwanted">
          <section className="mt-3 grid justify-items-start gap-3 rounded-2xl border border-line p-5">
            <h2 className="text-xl font-extrabold">{m.note_unwanted_title()}</h2>
            <p>{m.note_unwanted_text()}</p>
            <div className="flex flex-wrap gap-3">
              <PlainFormButton size="md" variant="danger" pendingText={m.note_throwing_away()}>
                {m.note_throw_away()}
              </PlainFormButton>
              <Button className="hidden! scripted:inline-flex!" data-close="">
                {m.note_keep()}
              </Button>
            </div>
          </section>
        </NoteForm>
      </details>
    </div>
  )
}

type NoteFormProps = {
  action: 'reply' | 'unwanted'
  /** The slot that is filled while the form is shown. */
  whileSlot?: string
  children: ReactNode
}

/** Renders a form about the opened note; code and plate are in it again, because nobody is signed in. */
function NoteForm({ action, whileSlot, children }: NoteFormProps) {
  return (
    <PlainForm action={href(paths.note())} data-if={whileSlot && slot(whileSlot)} className="grid gap-4">
      <input type="hidden" name="code" defaultValue={slot('CODE')} />
      <input type="hidden" name="plate" defaultValue={slot('PLATE')} />
      <input type="hidden" name="action" value={action} />
      {children}
    </PlainForm>
  )
}

/** Leads to an account with this plate, or to the vehicles of one; scripts carry the note along (notes/note-script.ts). */
function Register() {
  const carry = { 'data-carry-plate': slot('PLATE'), 'data-carry-code': slot('CODE'), reloadDocument: true }
  const box = 'grid justify-items-start gap-3 rounded-2xl bg-pine-soft p-5 sm:p-6'
  return (
    <>
      <section className={`${box} signed-in:hidden`}>
        <p className="flex items-start gap-3 text-lg font-bold">
          <Smartphone aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
          {m.note_next_time()}
        </p>
        <ButtonLink to={paths.signup()} variant="primary" {...carry}>
          {verbatim(m.note_register({ plate: slot('PLATE') }), slot('PLATE'))}
        </ButtonLink>
        <p className="text-sm text-ink-soft">{m.note_register_then()}</p>
      </section>
      <section className={`${box} hidden signed-in:grid`}>
        <p className="flex items-start gap-3 text-lg font-bold">
          <Inbox aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
          {verbatim(m.note_waits({ plate: slot('PLATE') }), slot('PLATE'))}
        </p>
        <ButtonLink to={paths.vehicles()} variant="primary" {...carry}>
          {m.note_add()}
        </ButtonLink>
      </section>
    </>
  )
}
