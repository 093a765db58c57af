import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OpenedReport, ReportSanction } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { provinceName } from '#contract/provinces.ts'
import { reasonName } from '#contract/reasons.ts'
import { formatDate } from '~/lib/dates/dates'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { DecisionPanel } from './DecisionPanel.tsx'
import { actionTexts, reportReasonText, reportTitle } from './inbox-texts.ts'

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
        {decision_reason && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{decision_reason}</p>}
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
            {evidence.typed_plate === null ? m.inbox_note() : m.inbox_written_to({ plate: evidence.typed_plate })}{' '}
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
            {note && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{note}</p>}
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
        className={`max-w-prose rounded-lg border-l-4 bg-sunken px-4 py-3 whitespace-pre-line wrap-anywhere ${marked ? 'border-danger' : 'border-line-strong'}`}
      >
        {children}
      </blockquote>
    </figure>
  )
}

/** Shows an image once a button is pressed: nobody has to see it who does not want to. */
function HiddenImage({ source }: { source: string }) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="grid justify-items-start gap-3">
      <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
        <Icon aria-hidden="true" className="size-5" />
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
              {sanction.reason && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{sanction.reason}</p>}
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
