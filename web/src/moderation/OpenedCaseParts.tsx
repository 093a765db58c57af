import type { OpenedCase } from '#contract/cases.ts'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { CaseEvidence } from './CaseEvidence.tsx'
import { CaseHistory } from './CaseHistory.tsx'
import { useDecidedCase } from './case-decisions.ts'
import { actionTexts } from './case-texts.ts'
import { DecisionPanel } from './DecisionPanel.tsx'
import { useDelayedActions } from './delayed-actions.ts'
import { NextCase } from './NextCase.tsx'

/** Shows all of a case that was opened: its texts, the decision or the form for it, and earlier cases. */
export function OpenedCaseParts({ opened }: { opened: OpenedCase }) {
  const isDelayed = useDelayedActions().some(({ id }) => id === opened.id)
  const isDecidedNow = useDecidedCase(opened.id) !== undefined
  return (
    <div className="grid gap-6">
      <CaseEvidence opened={opened} />
      {opened.state === 'closed' ? <Decided opened={opened} /> : <DecisionPanel opened={opened} />}
      {(isDelayed || isDecidedNow) && <NextCase decidedId={opened.id} />}
      <CaseHistory opened={opened} />
    </div>
  )
}

function Decided({ opened: { side, decision, decision_reason } }: { opened: OpenedCase }) {
  if (!decision) return null
  return (
    <Card className="grid gap-2">
      <h2 className="flex flex-wrap items-center gap-3 text-xl font-bold">
        {m.case_decided()}
        <Badge>{actionTexts(decision.action, side).done()}</Badge>
      </h2>
      {decision_reason && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{decision_reason}</p>}
      <p className="text-sm text-ink-soft">
        {decision.decided_by} · <DateTime iso={decision.decided_at} />
      </p>
      <p className="text-sm text-ink-soft">{m.case_decided_text()}</p>
    </Card>
  )
}
