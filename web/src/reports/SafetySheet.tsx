import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CheckCircle2, Phone, Printer, Siren } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { REPORT_NOTE_MAX, type ReportReason, reportMessage } from '#contract/reports.ts'
import { blocksQuery, submitBlock } from '~/blocks/queries'
import { formatShortDate } from '~/lib/dates/dates'
import { ApiError, call, errorMessage } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { FailureAlert } from '~/ui/FailureAlert'
import { TextArea } from '~/ui/TextArea'
import { RadioGroup } from './RadioGroup.tsx'

/** What the user chose to do about a message. */
type SafetyChoice = 'block' | 'report' | 'both'

type Submission = { messageId: string; choice: SafetyChoice; reason: ReportReason | null; note: string }

/**
 * Submits the choice: the report first, so that after a failure the same can be tried again.
 *
 * @returns whether the message had been reported before, which changes nothing for the person who reports it
 */
async function submitSafety({ messageId, choice, reason, note }: Submission): Promise<{ again: boolean }> {
  let again = false
  if (choice !== 'block' && reason !== null) {
    const input = { id: messageId, reason, ...(note.trim() && { note }) }
    await call(reportMessage, input, { withTimeout: true }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'already_reported')) throw error
      again = true
    })
  }
  if (choice !== 'report') await submitBlock(messageId)
  return { again }
}

/** The reasons in the order of the sheet: what is most often meant first. */
const REASONS: [ReportReason, () => string][] = [
  ['harassment', m.safety_reason_harassment],
  ['threat', m.safety_reason_threat],
  ['sexual', m.safety_reason_sexual],
  ['false_alarm', m.safety_reason_false_alarm],
  ['spam', m.safety_reason_spam],
  ['other', m.safety_reason_other],
]

const SUBMIT_TEXTS: Record<SafetyChoice, () => string> = {
  block: m.safety_submit_block,
  report: m.safety_submit_report,
  both: m.safety_submit_both,
}

type Props = { message: ReceivedMessage | SentMessage; onClose: () => void }

/**
 * Blocks the other person of a message, reports what they wrote, or both, and leads to a copy (decisions blocking-people and
 * message-reports).
 */
export function SafetySheet({ message, onClose }: Props) {
  const queries = useQueryClient()
  const [choice, setChoice] = useState<SafetyChoice>(message.plate === null ? 'report' : 'block')
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submission = useMutation({
    mutationFn: submitSafety,
    onSuccess: () => void queries.invalidateQueries({ queryKey: blocksQuery.queryKey }),
  })
  const isReceived = 'is_read' in message
  const reports = choice !== 'block'
  const noteError = [...note].length > REPORT_NOTE_MAX ? m.safety_note_long({ max: REPORT_NOTE_MAX }) : undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reports && reason === null) form.current?.querySelector<HTMLElement>('[name=report-reason]')?.focus()
    else if (reports && noteError) form.current?.querySelector('textarea')?.focus()
    else submission.mutate({ messageId: message.id, choice, reason, note })
  }
  if (submission.isSuccess)
    return <Done id={message.id} choice={choice} again={submission.data.again} onClose={onClose} />

  const date = formatShortDate(message.inserted_at)
  const { plate } = message
  return (
    <form ref={form} noValidate className="grid gap-6" onSubmit={submit}>
      <p className="-mt-2 text-ink-soft">
        {plate === null
          ? m.safety_reply_note({ date })
          : isReceived
            ? m.safety_message({ date, plate })
            : m.safety_reply({ date, plate })}
      </p>
      {reason !== 'threat' && <CallLine />}
      {/* a note is answered once: there is nobody to block */}
      {plate !== null && (
        <RadioGroup
          name="safety-choice"
          legend={m.safety_choice()}
          value={choice}
          onChange={setChoice}
          options={[
            {
              value: 'block',
              label: m.safety_block(),
              hint: isReceived ? m.safety_block_message() : m.safety_block_reply(),
            },
            {
              value: 'report',
              label: m.safety_report(),
              hint: isReceived ? m.safety_report_message() : m.safety_report_reply(),
            },
            { value: 'both', label: m.safety_both() },
          ]}
        />
      )}
      {reports && (
        <>
          <RadioGroup
            name="report-reason"
            legend={m.safety_reason()}
            value={reason}
            onChange={setReason}
            options={REASONS.map(([value, label]) => ({ value, label: label() }))}
            error={tried && reason === null ? m.safety_reason_missing() : undefined}
          />
          {/* always rendered, so that it is announced when it gets its text */}
          <div role="status" className="empty:hidden">
            {reason === 'threat' && <Danger />}
          </div>
          <TextArea
            label={m.safety_note()}
            hint={m.safety_note_hint()}
            optional
            rows={3}
            name="note"
            maxCharacters={REPORT_NOTE_MAX}
            value={note}
            error={tried ? noteError : undefined}
            onChange={({ target }) => setNote(target.value)}
          />
        </>
      )}
      <div className="grid gap-2 text-sm text-ink-soft">
        {reports && <p>{m.safety_copied()}</p>}
        <p>{m.safety_secret()}</p>
      </div>
      <div aria-live="assertive" className="empty:hidden">
        {submission.isError && <FailureAlert title={m.safety_failed()}>{errorMessage(submission.error)}</FailureAlert>}
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        pending={submission.isPending}
        pendingText={m.safety_sending()}
        className="w-full"
      >
        {SUBMIT_TEXTS[choice]()}
      </Button>
      <KeepCopy id={message.id} />
    </form>
  )
}

/** Scrolls the whole box into view: on a phone it would begin below the sheet's edge. */
const showWhole = (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' })

/** Says whom to call: nobody reads a report at once. */
function Danger() {
  return (
    <div ref={showWhole} className="grid gap-3 rounded-xl border-2 border-danger bg-danger-soft p-4">
      <div className="flex items-start gap-3">
        <Siren aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-danger" />
        <div className="grid gap-1">
          <p className="font-extrabold text-danger">{m.safety_danger_title()}</p>
          <p>{m.safety_danger_text()}</p>
        </div>
      </div>
      <a href="tel:911" className={buttonClass('danger', 'md', 'w-full sm:w-auto sm:justify-self-start')}>
        <Phone aria-hidden="true" className="size-5" />
        {m.safety_danger_call()}
      </a>
    </div>
  )
}

/** Says the same in one line, while nothing is chosen that sounds like danger. */
function CallLine() {
  return (
    <a href="tel:911" className="link -my-3 inline-flex min-h-11 items-center gap-2 justify-self-start font-bold">
      <Phone aria-hidden="true" className="size-5 shrink-0" />
      {m.safety_danger_title()}
    </a>
  )
}

function KeepCopy({ id }: { id: string }) {
  return (
    <div className="grid justify-items-start gap-1 border-t border-line pt-4">
      <Link to={paths.messageCopy(id)} className="link inline-flex min-h-11 items-center gap-2 font-bold">
        <Printer aria-hidden="true" className="size-5 shrink-0" />
        {m.safety_copy()}
      </Link>
      <p className="text-sm text-ink-soft">{m.safety_copy_hint()}</p>
    </div>
  )
}

const DONE_TITLES: Record<SafetyChoice, () => string> = {
  block: m.safety_done_block,
  report: m.safety_done_report,
  both: m.safety_done_both,
}

type DoneProps = {
  id: string
  choice: SafetyChoice
  /** It had been reported before. */
  again: boolean
  onClose: () => void
}

/** Confirms what was done. Gets the focus, so that it is read. */
function Done({ id, choice, again, onClose }: DoneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-3 rounded-xl bg-pine-soft p-4">
        <CheckCircle2 aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        <div className="grid gap-2">
          <h3 ref={heading} tabIndex={-1} className="text-lg font-bold outline-none">
            {DONE_TITLES[choice]()}
          </h3>
          {choice !== 'block' && <p>{again ? m.safety_done_again() : m.safety_done_report_text()}</p>}
          {choice !== 'report' && <p>{m.safety_done_block_text()}</p>}
        </div>
      </div>
      <Button size="lg" className="w-full" onClick={onClose}>
        {m.safety_done()}
      </Button>
      <KeepCopy id={id} />
    </div>
  )
}
