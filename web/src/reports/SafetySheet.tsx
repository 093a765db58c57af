import { CheckCircle2, Phone, Printer } from 'lucide-react'
import { useState } from 'react'
import { blockPerson } from '#contract/blocks.ts'
import type { ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { REPORT_NOTE_MAX, type ReportReason, reportMessage } from '#contract/reports.ts'
import { formatShortDate } from '~/lib/dates/dates'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { RadioGroup } from '~/ui/signed-in/RadioGroup'
import { UnsentText } from '~/ui/signed-in/UnsentText'
import { TextArea } from '~/ui/TextArea'

/** What the user chose to do about a message. */
type SafetyChoice = 'block' | 'report' | 'both'

type SafetyValues = { choice: SafetyChoice; reason: ReportReason | ''; note: string }

/**
 * Submits the choice: the report first, so that after a failure the same can be tried again.
 *
 * @returns whether the message had been reported before, which changes nothing for the person who reports it
 */
async function submitSafety(id: string, { choice, reason, note }: SafetyValues): Promise<{ again: boolean }> {
  let again = false
  if (choice !== 'block' && reason !== '') {
    const input = { id, reason, ...(note.trim() && { note }) }
    await call(reportMessage, input, { withTimeout: true }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'already_reported')) throw error
      again = true
    })
  }
  if (choice !== 'report') await call(blockPerson, { id }, { withTimeout: true })
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
  const [done, setDone] = useState<SafetyValues & { again: boolean }>()
  const { values, register, setValue, pending, failure, formProps } = useForm<SafetyValues>({
    defaultValues: { choice: message.plate === null ? 'report' : 'block', reason: '', note: '' },
    validate: ({ reason, note }) => ({
      reason: reason !== '' || m.safety_reason_missing(),
      note: [...note].length <= REPORT_NOTE_MAX || m.safety_note_long({ max: REPORT_NOTE_MAX }),
    }),
    async onSubmit(submitted) {
      const outcome = await submitSafety(message.id, submitted)
      void queryClient.invalidateQueries({ queryKey: ['blocks'] }) // the list in the profile
      setDone({ ...submitted, ...outcome })
    },
  })
  const { choice, reason } = values
  const isReceived = 'is_read' in message
  const reports = choice !== 'block'
  if (done) return <Done id={message.id} {...done} onClose={onClose} />

  const date = formatShortDate(message.inserted_at)
  const { plate } = message
  return (
    <form noValidate className="grid gap-6" {...formProps}>
      <p className="-mt-2 text-ink-soft">
        {plate === null
          ? m.safety_reply_note({ date })
          : isReceived
            ? verbatim(m.safety_message({ date, plate }), plate)
            : verbatim(m.safety_reply({ date, plate }), plate)}
      </p>
      {reason !== 'threat' && <CallLine />}
      {/* a note is answered once: there is nobody to block */}
      {plate !== null && (
        <RadioGroup
          name="choice"
          legend={m.safety_choice()}
          value={choice}
          onChange={(value) => setValue('choice', value)}
          options={[
            {
              value: 'block',
              label: m.safety_block(),
              hint: !isReceived
                ? m.safety_block_reply()
                : message.role === 'owner'
                  ? m.safety_block_message()
                  : verbatim(m.safety_block_as_driver({ plate }), plate),
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
            name="reason"
            legend={m.safety_reason()}
            value={reason}
            onChange={(value) => setValue('reason', value)}
            options={REASONS.map(([value, label]) => ({ value, label: label() }))}
            error={register('reason').error}
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
            maxCharacters={REPORT_NOTE_MAX}
            {...register('note')}
          />
        </>
      )}
      <div className="grid gap-2 text-sm text-ink-soft">
        {reports && <p>{m.safety_copied()}</p>}
        <p>{m.safety_secret()}</p>
      </div>
      <AnnouncedFailure failure={failure} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        pending={pending}
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
    <div ref={showWhole}>
      <EmergencyCall title={m.safety_danger_title()} call={m.call_911()}>
        <p>{m.safety_danger_text()}</p>
      </EmergencyCall>
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

type DoneProps = Pick<SafetyValues, 'choice' | 'note'> & {
  id: string
  /** It had been reported before. */
  again: boolean
  onClose: () => void
}

const focus = (heading: HTMLElement | null) => heading?.focus()

/** Confirms what was done. Gets the focus, so that it is read. */
function Done({ id, choice, again, note, onClose }: DoneProps) {
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-3 rounded-xl bg-pine-soft p-4">
        <CheckCircle2 aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        <div className="grid gap-2">
          <h3 ref={focus} tabIndex={-1} className="text-lg font-bold outline-none">
            {DONE_TITLES[choice]()}
          </h3>
          {choice !== 'block' && <p>{again ? m.safety_done_again() : m.safety_done_report_text()}</p>}
          {choice !== 'report' && <p>{m.safety_done_block_text()}</p>}
        </div>
      </div>
      {again && <UnsentText text={note} />}
      <Button size="lg" className="w-full" onClick={onClose}>
        {m.safety_done()}
      </Button>
      <KeepCopy id={id} />
    </div>
  )
}
