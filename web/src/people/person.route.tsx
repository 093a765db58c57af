import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { AdminPerson } from '#contract/people.ts'
import { userQuery } from '~/admin/queries'
import { href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { AccountEvents } from './AccountEvents.tsx'
import { type PersonAction, PersonDialog } from './PersonDialog.tsx'
import { Accounts, History, Openings, Summary } from './PersonSections.tsx'
import { personQuery } from './queries.ts'

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
  const failed = [user, person].find(({ error, data }) => error && !data)
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
      {person.data ? (
        <div className="grid gap-8">
          <Summary person={person.data} user={user.data} />
          <History person={person.data} />
          <Accounts person={person.data} shownId={accountId} />
          {accountId !== null && <AccountEvents id={accountId} />}
          <Openings person={person.data} />
        </div>
      ) : failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Loading>
          <Skeleton className="h-40 rounded-2xl!" />
        </Loading>
      )}
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
      <PersonDialog personId={person.id} action={action} open={open} onOpenChange={setOpen} />
    </>
  )
}
