import { CircleUserRound } from 'lucide-react'
import { type OpenedReport, openReport, type ReportItem as Report } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { call } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { useOpened } from './delayed-actions.ts'
import { ItemHeader } from './ItemHeader.tsx'
import { ItemSkeleton } from './ItemSkeleton.tsx'
import { KINDS, reportTitle } from './inbox-texts.ts'
import { PurposeForm } from './PurposeForm.tsx'

// loaded on demand: shown only once a purpose was given
const loadOpenedReport = () => import('./OpenedReport.tsx')

type Props = { id: string; item: Report | undefined; onDone: () => void }

/** Shows one reported message. Its texts are shown once the admin has given a purpose (decision admin-inbox). */
export function ReportItem({ id, item, onDone }: Props) {
  const [opened, setOpened] = useOpened<OpenedReport>(id)
  const report = opened ?? item
  return (
    <article className="grid gap-6">
      <ItemHeader
        kind="report"
        isOpened={opened !== undefined}
        title={report ? reportTitle(report) : KINDS.report.name()}
      >
        {report && (
          <>
            <span>
              {m.inbox_reported()} <DateTime iso={report.created_at} />
            </span>
            <span>{m.inbox_reporters({ count: report.reporters })}</span>
            <Link to={paths.adminPerson(report.subject_id)} className="link inline-flex min-h-11 items-center gap-1.5">
              <CircleUserRound aria-hidden="true" className="size-4" />
              {m.inbox_person()}
            </Link>
          </>
        )}
      </ItemHeader>
      {opened ? (
        <LoadedPart name="opened report" load={loadOpenedReport} skeleton={<ItemSkeleton />}>
          {({ OpenedReportParts }) => <OpenedReportParts opened={opened} onDone={onDone} />}
        </LoadedPart>
      ) : (
        <Card>
          <PurposeForm
            choices={[
              m.inbox_purpose_new(),
              m.inbox_purpose_more(),
              m.inbox_purpose_appeal(),
              m.inbox_purpose_authority(),
            ]}
            onOpen={async (purpose) => setOpened(await call(openReport, { id, purpose }, { withTimeout: true }))}
          />
        </Card>
      )}
    </article>
  )
}
