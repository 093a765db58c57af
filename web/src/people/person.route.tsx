import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { AdminPerson } from '#contract/people.ts'
import { EventItem } from '~/account-events/EventItem'
import { PagedList } from '~/admin/frame/PagedList'
import { personQuery, userEventsQuery, userQuery } from '~/admin/queries'
import { href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { type PersonAction, PersonDialog } from './PersonDialog.tsx'
import { Accounts, History, Openings, Summary } from './PersonSections.tsx'

export const meta = () => privatePageMeta(m.admin_user_title())

/**
 * Renders /admin/user: a person across all their accounts, and what an admin can do about them (decisions admin-inbox and
 * sanctions-and-appeals). `?id=` names an account, which is shown in full; `?person=` shows no whole address, for who comes from a
 * report or an appeal.
 */
export default function PersonPage() {
  const [params] = useSearchParams()
  const accountId = params.get('id')
  const user = useQuery({ ...userQuery(accountId ?? ''), enabled: accountId !== null })
  const personId = accountId === null ? params.get('person') : (user.data?.person_id ?? '')
  const person = useQuery({ ...personQuery(personId ?? ''), enabled: Boolean(personId) })
  if (personId === null) return <Navigate to={href(paths.adminUsers())} replace /> // an address that names nobody
  return (
    <>
      <Link to={paths.adminUsers()} className="link inline-flex items-center gap-1.5 py-2.5">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.admin_users_title()}
      </Link>
      <PageHeader title={m.admin_user_title()} action={person.data && <Actions person={person.data} />}>
        {accountId !== null && <span className="font-bold wrap-anywhere text-ink">{user.data?.email ?? '\u00a0'}</span>}
      </PageHeader>
      <Loaded query={user.error && !user.data ? user : person} skeleton={<Skeleton className="h-40 rounded-2xl!" />}>
        {() =>
          person.data && (
            <div className="grid gap-8">
              <Summary person={person.data} user={user.data} />
              <History person={person.data} />
              <Accounts person={person.data} shownId={accountId} />
              {accountId !== null && <AccountEvents id={accountId} />}
              <Openings person={person.data} />
            </div>
          )
        }
      </Loaded>
    </>
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
        <Button className="text-danger!" onClick={() => ask('suspend')}>
          {m.person_suspend()}
        </Button>
      )}
      <PersonDialog key={action} personId={person.id} action={action} open={open} onOpenChange={setOpen} />
    </>
  )
}

/** Lists what happened to an account, page by page. */
function AccountEvents({ id }: { id: string }) {
  const list = useInfiniteQuery(userEventsQuery(id))
  const events = flattenPages(list.data)
  return (
    <section aria-labelledby="events" className="grid gap-3">
      <h2 id="events" className="text-xl font-bold">
        {m.events_title()}
      </h2>
      <PagedList
        list={list}
        isEmpty={events.length === 0}
        skeleton={<Skeleton className="h-40 w-full" />}
        empty={<p className="text-ink-soft">{m.events_none()}</p>}
      >
        <Card>
          <ul className="grid divide-y divide-line *:first:pt-0 *:last:pb-0">
            {events.map((event) => (
              <EventItem key={event.id} event={event} showNetworks />
            ))}
          </ul>
        </Card>
      </PagedList>
    </section>
  )
}
