import { CircleCheck, Reply, Smartphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { type Note, type NoteKey, rejectNote, replyToNote } from '#contract/notes.ts'
import { paths } from '#contract/paths.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { useForm } from '~/lib/form/use-form'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { callWithProof } from '~/lib/proof-of-work/call-with-proof'
import { carryPlate } from '~/lib/registration/carried-plate'
import { getStoredUser } from '~/lib/session/stored-session'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { TextArea } from '~/ui/TextArea'
import { AddNote } from './AddNote.tsx'
import { NoteFailure, useAttempt } from './NoteFailure.tsx'

type Props = { noteKey: NoteKey; opened: Note }

const focus = (heading: HTMLElement | null) => heading?.focus()

/** Shows a note that was opened, and what its reader can do: reply once, throw it away, keep it. */
export function OpenedNote({ noteKey, opened }: Props) {
  const [note, setNote] = useState(opened)
  const [thrownAway, setThrownAway] = useState(false)
  if (thrownAway) return <ThrownAway />
  const locale = getLocale()
  const reason = reasonName(note.reason, locale)
  const text = localizedMessageText(note, locale)
  const dateFormat = new Intl.DateTimeFormat(LANGUAGE_TAGS[locale], { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <div className="grid gap-6">
      <header className="grid gap-4">
        <h1 ref={focus} tabIndex={-1} className="text-4xl font-black tracking-[-0.025em] outline-none sm:text-5xl">
          {m.note_for_you()}
        </h1>
        <Plate plate={noteKey.plate} />
      </header>
      <Card className="grid gap-4">
        <p className="text-sm text-ink-soft">
          <time dateTime={note.left_at}>{m.note_left_at({ date: dateFormat.format(new Date(note.left_at)) })}</time>
        </p>
        {reason && <p className="text-lg font-bold">{reason}</p>}
        <p
          lang={LANGUAGE_TAGS[text === note.content ? note.language : locale]}
          className="text-lg whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </p>
        <p className="text-sm text-ink-soft">{m.note_anonymous()}</p>
      </Card>
      <Card>
        {note.replied_at === null ? (
          <NoteReplyForm noteKey={noteKey} onReplied={setNote} />
        ) : (
          <p role="status" className="flex items-start gap-3 font-bold">
            <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-good" />
            {m.note_replied()}
          </p>
        )}
      </Card>
      {getStoredUser() === null ? <Register noteKey={noteKey} /> : <AddNote noteKey={noteKey} />}
      <Unwanted noteKey={noteKey} onThrownAway={() => setThrownAway(true)} />
    </div>
  )
}

type ReplyProps = { noteKey: NoteKey; onReplied: (note: Note) => void }

function NoteReplyForm({ noteKey, onReplied }: ReplyProps) {
  const form = useForm({
    defaultValues: { reply: '' },
    validate: ({ reply }) => ({
      reply:
        hasVisibleCharacter(reply) &&
        (Array.from(reply).length <= MESSAGE_MAX || m.note_reply_long({ max: MESSAGE_MAX }))
          ? undefined
          : m.note_reply_missing(),
    }),
    onSubmit: async ({ reply }) =>
      onReplied(await callWithProof(replyToNote, { ...noteKey, reply }, { withTimeout: true })),
  })
  return (
    <form noValidate className="grid gap-4" {...form.formProps}>
      <TextArea
        label={m.note_reply()}
        hint={m.note_reply_hint()}
        rows={3}
        maxCharacters={MESSAGE_MAX}
        {...form.register('reply')}
      />
      <NoteFailure error={form.failure} />
      <Button type="submit" variant="primary" pending={form.pending} pendingText={m.note_replying()}>
        <Reply aria-hidden="true" className="size-5" />
        {m.note_reply_once()}
      </Button>
    </form>
  )
}

/** Leads to an account with this plate; the note is carried along meanwhile. */
function Register({ noteKey }: { noteKey: NoteKey }) {
  return (
    <section className="grid justify-items-start gap-3 rounded-2xl bg-pine-soft p-5 sm:p-6">
      <p className="flex items-start gap-3 text-lg font-bold">
        <Smartphone aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        {m.note_next_time()}
      </p>
      <ButtonLink to={paths.signup()} onClick={() => carryPlate(noteKey)} variant="primary">
        {m.note_register({ plate: noteKey.plate })}
      </ButtonLink>
      <p className="text-sm text-ink-soft">{m.note_register_then()}</p>
    </section>
  )
}

/** Reports the note and throws it away, after asking once. */
function Unwanted({ noteKey, onThrownAway }: { noteKey: NoteKey; onThrownAway: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const { pending, failure, attempt } = useAttempt(async () => {
    await callWithProof(rejectNote, noteKey, { withTimeout: true })
    onThrownAway()
  })
  if (!isConfirming) {
    return (
      <Button variant="ghost" className="justify-self-start text-ink-soft" onClick={() => setIsConfirming(true)}>
        <Trash2 aria-hidden="true" className="size-5" />
        {m.note_unwanted()}
      </Button>
    )
  }
  return (
    <section className="grid gap-3 rounded-2xl border border-line p-5">
      <h2 ref={focus} tabIndex={-1} className="text-xl font-extrabold outline-none">
        {m.note_unwanted_title()}
      </h2>
      <p>{m.note_unwanted_text()}</p>
      <NoteFailure error={failure} />
      <div className="flex flex-wrap gap-3">
        <Button variant="danger" pending={pending} pendingText={m.note_throwing_away()} onClick={attempt}>
          {m.note_throw_away()}
        </Button>
        <Button onClick={() => setIsConfirming(false)}>{m.note_keep()}</Button>
      </div>
    </section>
  )
}

function ThrownAway() {
  return (
    <Card className="grid gap-3">
      <h1 ref={focus} tabIndex={-1} className="text-3xl font-extrabold outline-none">
        {m.note_gone_title()}
      </h1>
      <p>{m.note_gone_text()}</p>
    </Card>
  )
}
