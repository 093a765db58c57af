import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { decideReport, type OpenedReport, type ReportAction, type ReportSanction } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import { reasonName } from '#contract/reasons.ts'
import { isLasting } from '#contract/sanctions.ts'
import { confirmOldFactor, withFreshFactor } from '~/admin/frame/StepUp'
import { DaysField, ReasonField, sanctionInput, validateSanction } from '~/admin/sanctions'
import { formatDate } from '~/lib/dates/dates'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { UNDO_MS } from '~/lib/time/timeout'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { TypedText } from '~/ui/signed-in/TypedText'
import { delayAction } from './delayed-actions.tsx'
import { actionTexts, REPORT_ACTIONS, reportReasonText, reportTitle } from './inbox-texts.ts'
import { NumberKey } from './keyboard-shortcuts.tsx'

type Props = { opened: OpenedReport; onDone: () => void }

/** Shows all of a report that was opened: its texts, the decision or the form for it, and earlier ones. */
export function OpenedReportParts({ opened, onDone }: Props) {
  return (
    <>
      <ReportEvidence opened={opened} />
      {opened.decision ? <Decided opened={opened} /> : <DecisionPanel opened={opened} onDone={onDone} />}
      <ReportHistory opened={opened} />
    </>
  )
}

function Decided({ opened: { side, decision, decision_reason } }: { opened: OpenedReport }) {
  return (
    decision && (
      <Card className="grid gap-2">
        <h3 className="flex flex-wrap items-center gap-3 text-xl font-bold">
          {m.inbox_decided()}
          <Badge>{actionTexts(decision.action, side).done()}</Badge>
        </h3>
        {decision_reason && <TypedText>{decision_reason}</TypedText>}
        <p className="text-sm text-ink-soft">
          {decision.decided_by} · <DateTime iso={decision.decided_at} />
        </p>
        <p className="text-sm text-ink-soft">{m.inbox_decided_text()}</p>
      </Card>
    )
  )
}

/** Shows what was reported, as it was at that moment, and what the reporters said. */
function ReportEvidence({ opened }: { opened: OpenedReport }) {
  const { evidence, image, reports, side } = opened
  return (
    <Card className="grid gap-5">
      <h3 className="text-xl font-bold">{m.inbox_evidence()}</h3>
      {evidence ? (
        <>
          <QuotedText title={m.inbox_side_message()} at={evidence.inserted_at} marked={side === 'message'}>
            {reasonName(evidence.reason, getLocale()) && (
              <span className="block font-bold">{reasonName(evidence.reason, getLocale())}</span>
            )}
            {evidence.content}
          </QuotedText>
          {image && <HiddenImage source={image} />}
          {evidence.reply !== null && (
            <QuotedText title={m.inbox_side_reply()} at={evidence.replied_at} marked={side === 'reply'}>
              {evidence.reply}
            </QuotedText>
          )}
          <p className="text-sm text-ink-soft">
            {evidence.typed_plate === null
              ? m.inbox_note()
              : verbatim(m.inbox_written_to({ plate: evidence.typed_plate }), evidence.typed_plate)}{' '}
            {evidence.vehicle
              ? `${evidence.vehicle.make} ${evidence.vehicle.model}, ${provinceName(evidence.vehicle.province, getLocale())}`
              : evidence.typed_plate !== null && m.inbox_vehicle_gone()}
          </p>
        </>
      ) : (
        <p className="font-bold text-danger">{m.inbox_unreadable()}</p>
      )}
      <h4 className="text-lg font-bold">{m.inbox_reporters_said()}</h4>
      <ul className="grid gap-3">
        {reports.map(({ id, reason, note, created_at }) => (
          <li key={id} className="grid gap-1">
            <p className="flex flex-wrap gap-x-3">
              <span className="font-bold">{reportReasonText(reason)}</span>
              <span className="text-ink-soft">
                <DateTime iso={created_at} />
              </span>
            </p>
            {note && <TypedText>{note}</TypedText>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type QuotedTextProps = { title: string; at: string | null; marked: boolean; children: ReactNode }

/** Shows one text of the conversation; the reported one is marked. */
function QuotedText({ title, at, marked, children }: QuotedTextProps) {
  return (
    <figure className="grid gap-1.5">
      <figcaption className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
        <span className="font-bold">{title}</span>
        {at && <DateTime iso={at} />}
        {marked && <span className="font-bold text-danger">{m.inbox_this_was_reported()}</span>}
      </figcaption>
      <blockquote
        dir="auto"
        className={`max-w-prose rounded-lg border-l-4 bg-sunken px-4 py-3 whitespace-pre-line ${marked ? 'border-danger' : 'border-line-strong'}`}
      >
        {children}
      </blockquote>
    </figure>
  )
}

/** Shows an image once a button is pressed: nobody has to see it who does not want to. */
function HiddenImage({ source }: { source: string }) {
  const [shown, setShown] = useState(false)
  return (
    <div className="grid justify-items-start gap-3">
      <Button icon={shown ? EyeOff : Eye} aria-expanded={shown} onClick={() => setShown(!shown)}>
        {shown ? m.inbox_hide_image() : m.inbox_show_image()}
      </Button>
      {shown && <img src={source} alt={m.inbox_image_alt()} className="max-h-128 max-w-full rounded-lg" />}
    </div>
  )
}

/** Shows the other reports about the same person, and the decisions on them. */
function ReportHistory({ opened: { other_reports, sanctions } }: { opened: OpenedReport }) {
  return (
    <Card className="grid gap-5">
      <h3 className="text-xl font-bold">{m.inbox_history()}</h3>
      {other_reports.length === 0 && sanctions.length === 0 && <p>{m.inbox_history_none()}</p>}
      {sanctions.length > 0 && (
        <ul className="grid gap-3" aria-label={m.inbox_sanctions()}>
          {sanctions.map((sanction) => (
            <li key={sanction.id} className="grid gap-0.5">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-bold">{actionTexts(sanction.kind).done()}</span>
                <span className="text-ink-soft">{formatDate(sanction.created_at)}</span>
                <SanctionEnd sanction={sanction} />
              </p>
              {sanction.reason && <TypedText>{sanction.reason}</TypedText>}
            </li>
          ))}
        </ul>
      )}
      {other_reports.length > 0 && (
        <ul className="grid gap-1" aria-label={m.inbox_other_reports()}>
          {other_reports.map((other) => (
            <li key={other.id} className="flex flex-wrap items-center gap-x-3">
              <Link to={paths.adminInbox('report', other.id)} className="link inline-flex min-h-11 items-center">
                {reportTitle(other)}
              </Link>
              <span className="text-ink-soft">{formatDate(other.created_at)}</span>
              <Badge>{other.decision ? actionTexts(other.decision.action, other.side).done() : m.inbox_open()}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function SanctionEnd({ sanction: { ends_at, lifted_at } }: { sanction: ReportSanction }) {
  if (lifted_at) return <Badge tone="good">{m.inbox_lifted({ date: formatDate(lifted_at) })}</Badge>
  return ends_at && <span className="text-ink-soft">{m.inbox_until({ date: formatDate(ends_at) })}</span>
}

/** Offers the decisions about an open report. Each is delayed for some seconds, in which it can be undone. */
function DecisionPanel({ opened, onDone }: Props) {
  const [action, setAction] = useState<ReportAction | null>(null)
  return (
    <Card className="grid gap-4">
      <h3 className="text-xl font-bold">{m.inbox_decide()}</h3>
      <div className="flex flex-wrap gap-2">
        {REPORT_ACTIONS.map((one, i) => (
          <Button
            key={one}
            aria-pressed={action === one}
            className="aria-pressed:bg-sunken aria-pressed:ring-2"
            onClick={() => setAction(one)}
          >
            <NumberKey number={i + 1} />
            {actionTexts(one, opened.side).button()}
          </Button>
        ))}
      </div>
      {action && (
        <DecisionForm
          key={action}
          opened={opened}
          action={action}
          onDelayed={onDone}
          onCancel={() => setAction(null)}
        />
      )}
    </Card>
  )
}

type FormProps = { opened: OpenedReport; action: ReportAction; onDelayed: () => void; onCancel: () => void }

/** Returns whether the effect of a decision lasts, for some days or until it is lifted. */
const hasDuration = (action: ReportAction) => action !== 'dismiss' && isLasting(action)

function DecisionForm({ opened, action, onDelayed, onCancel }: FormProps) {
  const draftName = `report-decision:${opened.id}` // stored until the decision has been sent: it may be undone, or fail
  const { register, pending, formProps, getValues } = useForm({
    defaultValues: { reason: readDraftText(draftName) ?? '', days: '' },
    validate: validateSanction,
    async onSubmit(values) {
      // asked for now: later it would interrupt the admin at the next item
      if (action === 'suspend' && !(await confirmOldFactor(UNDO_MS))) return
      const { id, side, reports } = opened
      const input = { id, action, reports_read: reports.length, ...sanctionInput(values) }
      delayAction({
        kind: 'report',
        opened,
        title: `${actionTexts(action, side).button()} · ${reportTitle(opened)}`,
        typed: values.reason,
        draft: draftName,
        async send() {
          const { state } = await withFreshFactor(() => call(decideReport, input, { withTimeout: true }))
          toast.success(actionTexts(action, side).done())
          if (state === 'open') toast.warning(m.inbox_still_open())
        },
      })
      onDelayed()
    },
  })
  return (
    <form noValidate className="grid gap-4" {...formProps} onChange={() => saveDraft(draftName, getValues().reason)}>
      <p className="max-w-prose">{actionTexts(action, opened.side).consequence()}</p>
      <ReasonField
        // the buttons above were pressed to write here
        ref={(area) => area?.focus()}
        hint={action === 'dismiss' ? m.inbox_reason_hint_dismiss() : m.inbox_reason_hint()}
        {...register('reason')}
      />
      {hasDuration(action) && <DaysField {...register('days')} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={action === 'dismiss' ? 'primary' : 'danger'} pending={pending}>
          {actionTexts(action, opened.side).button()}
        </Button>
        <Button onClick={onCancel}>{m.action_cancel()}</Button>
      </div>
    </form>
  )
}
