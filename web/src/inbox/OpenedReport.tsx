import type { OpenedReport } from '#contract/inbox.ts'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { DecisionPanel } from './DecisionPanel.tsx'
import { actionTexts } from './inbox-texts.ts'
import { ReportEvidence } from './ReportEvidence.tsx'
import { ReportHistory } from './ReportHistory.tsx'

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
