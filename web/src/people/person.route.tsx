import { useQuery } from '@tanstack/react-query'
import { Ban, Gauge, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { AdminPerson } from '#contract/people.ts'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { type PersonAction, PersonDialog } from './PersonDialog.tsx'
import { Accounts, Cases, Openings, Sanctions } from './PersonSections.tsx'
import { personQuery } from './queries.ts'

export const meta = () => privatePageMeta(m.person_title())

/**
 * Renders /admin/people/:id: a person across all their accounts, and what an admin can do about them (decisions moderation-desk and
 * sanctions-and-appeals).
 */
export default function PersonPage() {
  const { id = '' } = useParams()
  const { data: person, error, refetch } = useQuery(personQuery(id))
  return (
    <>
      <PageHeader title={m.person_title()} action={person && <Actions person={person} />}>
        {m.person_intro()}
      </PageHeader>
      {person ? (
        <div className="grid gap-8">
          <State person={person} />
          <Sanctions person={person} />
          <Cases person={person} />
          <Accounts person={person} />
          <Openings person={person} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-64 rounded-2xl!" />
        </Loading>
      )}
    </>
  )
}

function State({ person: { suspended, limited } }: { person: AdminPerson }) {
  return (
    // announced when a decision changes it
    <p role="status" className="flex flex-wrap gap-2">
      {suspended && (
        <Badge icon={Ban} tone="danger">
          {m.person_suspended()}
        </Badge>
      )}
      {limited && (
        <Badge icon={Gauge} tone="warn">
          {m.person_limited()}
        </Badge>
      )}
      {!suspended && !limited && (
        <Badge icon={ShieldCheck} tone="good">
          {m.person_free()}
        </Badge>
      )}
    </p>
  )
}

function Actions({ person }: { person: AdminPerson }) {
  const [action, setAction] = useState<PersonAction>('suspend')
  const [open, setOpen] = useState(false)
  const ask = (next: PersonAction) => {
    setAction(next)
    setOpen(true)
  }
  return (
    <>
      {(person.suspended || person.limited) && <Button onClick={() => ask('lift')}>{m.person_lift()}</Button>}
      {!person.suspended && (
        <Button variant="danger" onClick={() => ask('suspend')}>
          {m.person_suspend()}
        </Button>
      )}
      <PersonDialog personId={person.id} action={action} open={open} onOpenChange={setOpen} />
    </>
  )
}
