import type { OpenedReport, ReportSanction } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { formatDate } from '~/lib/dates/dates'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { actionTexts, reportTitle } from './inbox-texts.ts'

/** Shows the other reports about the same person, and the decisions on them. */
export function ReportHistory({ opened: { other_reports, sanctions } }: { opened: OpenedReport }) {
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
