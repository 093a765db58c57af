import { useInfiniteQuery } from '@tanstack/react-query'
import { FilePlus, Siren, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Incident } from '#contract/incidents.ts'
import { PagedList } from '~/admin/PagedList'
import { formatDate } from '~/lib/dates/dates'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { IncidentForm } from './IncidentForm.tsx'
import { formatNoticed, incidentFields } from './incident-fields.ts'
import { incidentsQuery } from './queries.ts'

/** Renders /admin/incidents, the register of confidentiality incidents (decision 0094). */
export function IncidentsPage() {
  const list = useInfiniteQuery(incidentsQuery)
  const entries = flattenPages(list.data)
  const [writing, setWriting] = useState<{ about: Incident | null } | null>(null)
  return (
    <>
      <PageHeader
        title={m.admin_incidents_title()}
        action={
          !writing && (
            <Button variant="primary" onClick={() => setWriting({ about: null })}>
              <FilePlus aria-hidden="true" className="size-5" />
              {m.incident_new()}
            </Button>
          )
        }
      >
        {m.incidents_intro()}
      </PageHeader>
      {writing && (
        <IncidentForm key={writing.about?.id ?? 'new'} about={writing.about} onDone={() => setWriting(null)} />
      )}
      <PagedList
        list={list}
        isEmpty={entries.length === 0}
        skeleton={<Skeleton className="h-72 rounded-2xl!" />}
        empty={
          <EmptyState icon={Siren} title={m.incidents_empty()}>
            {m.incidents_empty_text()}
          </EmptyState>
        }
      >
        <ol aria-label={m.admin_incidents_title()} className="grid gap-5">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} onAdd={() => setWriting({ about: entry })} />
          ))}
        </ol>
      </PagedList>
    </>
  )
}

function Entry({ entry, onAdd }: { entry: Incident; onAdd: () => void }) {
  return (
    <li>
      <Card className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="text-lg font-bold">{m.incident_noticed({ date: formatNoticed(entry.noticed_on) })}</h2>
          <div className="flex flex-wrap gap-2">
            {entry.amends && <Badge>{m.incident_addition()}</Badge>}
            {entry.serious_risk ? (
              <Badge icon={TriangleAlert} tone="danger">
                {m.incident_risk_yes()}
              </Badge>
            ) : (
              <Badge>{m.incident_risk_no()}</Badge>
            )}
          </div>
        </div>
        <dl className="grid gap-3">
          {incidentFields().map(({ name, label }) => (
            <div key={name}>
              <dt className="text-sm text-ink-soft">{label}</dt>
              <dd className="max-w-prose whitespace-pre-line wrap-anywhere">{entry[name]}</dd>
            </div>
          ))}
          <div>
            <dt className="text-sm text-ink-soft">{m.incident_people()}</dt>
            <dd>{entry.people ?? m.incident_people_unknown()}</dd>
          </div>
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-sm wrap-anywhere text-ink-soft">
            {entry.recorded_by} · <DateTime iso={entry.created_at} />
          </p>
          <Button onClick={onAdd}>
            {m.incident_add()}
            <span className="sr-only"> {formatDate(entry.created_at)}</span>
          </Button>
        </div>
      </Card>
    </li>
  )
}
