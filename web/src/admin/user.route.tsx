import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Ban, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import type { AdminUserDetails } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { EventList } from '~/account-events/EventList'
import { href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { PagedList } from './PagedList.tsx'
import { userEventsQuery, userQuery } from './queries.ts'

export const meta = () => privatePageMeta(m.admin_user_title())

/** Renders /admin/user?id=…: one account, and what happened to it. */
export default function UserPage() {
  const [params] = useSearchParams()
  const id = params.get('id')
  // an address that names nobody
  return id ? <UserDetails id={id} /> : <Navigate to={href(paths.adminUsers())} replace />
}

function UserDetails({ id }: { id: string }) {
  const { data: user, error, refetch } = useQuery(userQuery(id))
  return (
    <>
      <Link to={paths.adminUsers()} className="link inline-flex items-center gap-1.5 py-2.5">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.admin_users_title()}
      </Link>
      <PageHeader title={m.admin_user_title()}>
        {user && <span className="font-bold wrap-anywhere text-ink">{user.email}</span>}
      </PageHeader>
      {user ? (
        <div className="grid gap-8">
          <Details user={user} />
          <Events id={id} />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-40 w-full" />
        </Loading>
      )}
    </>
  )
}

function Details({ user }: { user: AdminUserDetails }) {
  return (
    <Card className="grid gap-5">
      {(user.is_admin || user.suspended) && (
        <p className="flex flex-wrap gap-2">
          {user.is_admin && <Badge icon={ShieldCheck}>{m.admin_user_admin()}</Badge>}
          {user.suspended && (
            <Badge icon={Ban} tone="danger">
              {m.admin_user_suspended()}
            </Badge>
          )}
        </p>
      )}
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Detail name={m.admin_users_name()}>{user.full_name ?? m.admin_users_no_name()}</Detail>
        <Detail name={m.admin_user_since()}>
          <DateTime iso={user.created_at} />
        </Detail>
        <Detail name={m.admin_user_last()}>
          {user.last_sign_in_at ? <DateTime iso={user.last_sign_in_at} /> : m.admin_user_never()}
        </Detail>
        <Detail name={m.admin_user_two_step()}>
          {user.factors > 0 ? m.admin_user_factors({ count: user.factors }) : m.admin_user_no_factor()}
        </Detail>
      </dl>
      <p className="flex flex-wrap gap-x-6">
        <Link to={paths.adminPerson(user.person_id)} className="link py-2.5">
          {m.admin_user_person()}
        </Link>
      </p>
    </Card>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-bold wrap-anywhere">{children}</dd>
    </div>
  )
}

function Events({ id }: { id: string }) {
  const list = useInfiniteQuery(userEventsQuery(id))
  const events = flattenPages(list.data)
  return (
    <section aria-labelledby="events" className="grid gap-4">
      <h2 id="events" className="text-xl font-bold">
        {m.events_title()}
      </h2>
      <PagedList
        list={list}
        isEmpty={events.length === 0}
        skeleton={<Skeleton className="h-40 w-full" />}
        empty={<EmptyState icon={ShieldCheck} title={m.events_none()} />}
      >
        <Card>
          <EventList events={events} showNetworks />
        </Card>
      </PagedList>
    </section>
  )
}
