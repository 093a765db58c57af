import type { CaseSanction, OpenedCase } from '#contract/cases.ts'
import { paths } from '#contract/paths.ts'
import { formatDate } from '~/lib/dates/dates'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { actionTexts, caseTitle } from './case-texts.ts'

/** Shows the other cases about the same person, and the decisions on them. */
export function CaseHistory({ opened: { other_cases, sanctions } }: { opened: OpenedCase }) {
  return (
    <Card className="grid gap-5">
      <h2 className="text-xl font-bold">{m.case_history()}</h2>
      {other_cases.length === 0 && sanctions.length === 0 && <p>{m.case_history_none()}</p>}
      {sanctions.length > 0 && (
        <ul className="grid gap-3" aria-label={m.case_sanctions()}>
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
      {other_cases.length > 0 && (
        <ul className="grid gap-1" aria-label={m.case_other_cases()}>
          {other_cases.map((other) => (
            <li key={other.id} className="flex flex-wrap items-center gap-x-3">
              <Link to={paths.adminReport(other.id)} className="link inline-flex min-h-11 items-center">
                {caseTitle(other)}
              </Link>
              <span className="text-ink-soft">{formatDate(other.created_at)}</span>
              <Badge>
                {other.decision ? actionTexts(other.decision.action, other.side).done() : m.desk_tab_open()}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function SanctionEnd({ sanction: { ends_at, lifted_at } }: { sanction: CaseSanction }) {
  if (lifted_at) return <Badge tone="good">{m.case_lifted({ date: formatDate(lifted_at) })}</Badge>
  return ends_at && <span className="text-ink-soft">{m.case_until({ date: formatDate(ends_at) })}</span>
}
