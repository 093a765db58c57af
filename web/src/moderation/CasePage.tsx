import { ArrowLeft, CircleUserRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { type OpenedCase, openCase } from '#contract/cases.ts'
import { paths } from '#contract/paths.ts'
import { call } from '~/lib/http/api'
import { href, Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { CaseEvidence } from './CaseEvidence.tsx'
import { CaseHistory } from './CaseHistory.tsx'
import { actionTexts, caseTitle } from './case-texts.ts'
import { DecisionPanel } from './DecisionPanel.tsx'
import { HeldBar } from './HeldBar.tsx'
import { useDecidedCase } from './held-decisions.ts'
import { PurposeForm } from './PurposeForm.tsx'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Renders /admin/reports/:id: one reported message. Its texts are shown to whoever says what for (decision 0087). */
export function CasePage() {
  const { id = '' } = useParams()
  // an address that names no case
  if (!UUID.test(id)) return <Navigate to={href(paths.adminReports())} replace />
  // another case is another page: nothing of this one may stay
  return <Case key={id} id={id} />
}

function Case({ id }: { id: string }) {
  const [found, setOpened] = useState<OpenedCase>()
  const decided = useDecidedCase(id)
  const opened = found && { ...found, ...decided }
  const heading = useRef<HTMLDivElement>(null)
  return (
    <>
      <Link to={paths.adminReports()} className="link inline-flex items-center gap-1.5 py-2.5">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.case_back()}
      </Link>
      <div ref={heading} tabIndex={-1} className="outline-none">
        <PageHeader title={opened ? caseTitle(opened) : m.case_title()}>
          {opened && (
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span>
                {m.case_reported()} <DateTime iso={opened.created_at} />
              </span>
              <span>{m.case_reporters({ count: opened.reporters })}</span>
              <Link to={paths.adminPerson(opened.subject_id)} className="link inline-flex items-center gap-1.5">
                <CircleUserRound aria-hidden="true" className="size-4" />
                {m.case_person()}
              </Link>
            </span>
          )}
        </PageHeader>
      </div>
      <HeldBar />
      {opened ? (
        <div className="grid gap-6">
          <CaseEvidence opened={opened} />
          {opened.state === 'closed' ? <Decided opened={opened} /> : <DecisionPanel item={opened} />}
          <CaseHistory opened={opened} />
        </div>
      ) : (
        <Card className="max-w-xl">
          <PurposeForm
            choices={[m.case_purpose_new(), m.case_purpose_more(), m.case_purpose_appeal(), m.case_purpose_authority()]}
            onOpen={async (purpose) => {
              setOpened(await call(openCase, { id, purpose }, { withTimeout: true }))
              heading.current?.focus()
            }}
          />
        </Card>
      )}
    </>
  )
}

function Decided({ opened: { decision, decision_reason } }: { opened: OpenedCase }) {
  if (!decision) return null
  return (
    <Card className="grid gap-2">
      <h2 className="flex flex-wrap items-center gap-3 text-xl font-bold">
        {m.case_decided()}
        <Badge>{actionTexts(decision.action).done()}</Badge>
      </h2>
      {decision_reason && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{decision_reason}</p>}
      <p className="text-sm text-ink-soft">
        {decision.decided_by} · <DateTime iso={decision.decided_at} />
      </p>
      <p className="text-sm text-ink-soft">{m.case_decided_text()}</p>
    </Card>
  )
}
