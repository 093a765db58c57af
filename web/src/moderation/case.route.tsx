import { ArrowLeft, CircleUserRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { type OpenedCase, openCase } from '#contract/cases.ts'
import { paths } from '#contract/paths.ts'
import { call } from '~/lib/http/api'
import { href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { forgetDecision, useDecidedCase } from './case-decisions.ts'
import { caseTitle } from './case-texts.ts'
import { DelayedActions } from './DelayedActions.tsx'
import { PurposeForm } from './PurposeForm.tsx'

export const meta = () => privatePageMeta(m.case_title())

// loaded on demand: shown only once a purpose was given
const loadOpenedCase = () => import('./OpenedCaseParts.tsx')

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Renders /admin/reports/:id: one reported message. Its texts are shown once the admin has given a purpose (decision moderation-desk). */
export default function CasePage() {
  const { id = '' } = useParams()
  // an address that names no case
  if (!UUID.test(id)) return <Navigate to={href(paths.adminReports())} replace />
  // another case is another page: nothing of this one may stay
  return <Case key={id} id={id} />
}

function Case({ id }: { id: string }) {
  const [found, setOpened] = useState<OpenedCase>()
  const decided = useDecidedCase(id)
  // reported again since it was read: what is on this page is not all there is
  const isReportedAgain = decided?.state === 'open'
  const opened = isReportedAgain ? undefined : found && { ...found, ...decided }
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
      <DelayedActions />
      {opened ? (
        <LoadedPart name="opened case" load={loadOpenedCase} skeleton={<CaseSkeleton />}>
          {({ OpenedCaseParts }) => <OpenedCaseParts opened={opened} />}
        </LoadedPart>
      ) : (
        <Card className="grid max-w-xl gap-4">
          {isReportedAgain && <p>{m.case_reported_meanwhile()}</p>}
          <PurposeForm
            choices={[m.case_purpose_new(), m.case_purpose_more(), m.case_purpose_appeal(), m.case_purpose_authority()]}
            onOpen={async (purpose) => {
              const now = await call(openCase, { id, purpose }, { withTimeout: true })
              setOpened(now)
              if (now.state === 'open') forgetDecision(id)
              heading.current?.focus()
            }}
          />
        </Card>
      )}
    </>
  )
}

function CaseSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-80 w-full" />
    </Loading>
  )
}
