import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Trash2, UserSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import { type AdminUser, SEARCH_MAX } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import { flattenPages } from '~/lib/query/paged'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { SearchField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { DeleteUserDialog, useDeletingUserIds } from './DeleteUserDialog.tsx'
import { PagedList } from './frame/PagedList.tsx'
import { usersQuery } from './queries.ts'
import { useSearchParamFilters } from './use-search-param-filters.ts'

export const meta = () => privatePageMeta(m.admin_users_title())

const FILTER_NAMES = ['search'] as const

/** Renders /admin/users: all accounts, searchable by email address or name (requirements §2). */
export default function UsersPage() {
  const { inUrl, fieldValues, onType, clear } = useSearchParamFilters(FILTER_NAMES)
  // while the next search loads, the last result stays: without that the page would flicker at every letter
  const list = useInfiniteQuery({ ...usersQuery(inUrl.search.trim()), placeholderData: keepPreviousData })
  const deletingIds = useDeletingUserIds()
  const users = flattenPages(list.data).filter(({ id }) => !deletingIds.includes(id))
  const count = useRef<HTMLParagraphElement>(null)
  const [deletion, setDeletion] = useState<{ user: AdminUser; open: boolean }>()

  return (
    <>
      <PageHeader title={m.admin_users_title()}>{m.admin_users_intro()}</PageHeader>
      <search className="block max-w-xl pb-5">
        <SearchField
          label={m.admin_users_search()}
          placeholder={m.admin_users_search_hint()}
          maxLength={SEARCH_MAX}
          value={fieldValues.search}
          onChange={(event) => onType('search', event.target.value)}
        />
      </search>
      <PagedList
        list={list}
        count={m.admin_users_shown({ count: users.length })}
        countRef={count}
        isEmpty={users.length === 0}
        skeleton={<Skeleton className="h-96 rounded-2xl!" />}
        empty={
          <EmptyState
            icon={UserSearch}
            title={m.admin_users_empty()}
            action={inUrl.search !== '' && <Button onClick={clear}>{m.admin_users_all()}</Button>}
          />
        }
      >
        <Card className="overflow-hidden p-0!">
          <UsersTable users={users} onDelete={(user) => setDeletion({ user, open: true })} />
        </Card>
      </PagedList>
      {deletion && (
        <DeleteUserDialog
          key={deletion.user.id}
          {...deletion}
          onOpenChange={(open) => setDeletion({ ...deletion, open })}
          focusAfter={() => count.current} // the pressed button is removed with its row
        />
      )}
    </>
  )
}

/** Lists users by email address and name. On a phone each of them is a card. Admins delete their own account in the profile. */
function UsersTable({ users, onDelete }: { users: AdminUser[]; onDelete: (user: AdminUser) => void }) {
  const { id: ownId } = useUser()
  return (
    <table className="block w-full sm:table sm:table-fixed" aria-label={m.admin_users_title()}>
      <thead className="sr-only sm:not-sr-only">
        <tr className="border-b border-line text-left text-sm text-ink-soft">
          <th scope="col" className="w-1/2 py-3 pl-6 font-bold">
            {m.admin_users_email()}
          </th>
          <th scope="col" className="px-4 py-3 font-bold">
            {m.admin_users_name()}
          </th>
          <th scope="col" className="w-44 py-3 pr-6 text-right font-bold">
            {m.admin_users_actions()}
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {users.map((user) => (
          <tr
            key={user.id}
            className="grid grid-cols-[minmax(0,1fr)_max-content] items-center gap-x-4 px-5 pt-4 pb-1.5 sm:table-row sm:p-0"
          >
            <td id={`email-${user.id}`} translate="no" className="col-span-2 font-bold sm:py-2 sm:pl-6">
              <Link to={paths.adminUser(user.id)} className="link">
                {user.email}
              </Link>
            </td>
            <td className="text-ink-soft sm:px-4 sm:py-2">
              {user.full_name ? (
                verbatim(user.full_name, user.full_name)
              ) : (
                <>
                  <span aria-hidden="true">—</span>
                  <span className="sr-only">{m.admin_users_no_name()}</span>
                </>
              )}
            </td>
            <td className="-mr-4 whitespace-nowrap sm:mr-0 sm:py-2 sm:pr-2 sm:text-right">
              {user.id !== ownId && (
                <Button
                  icon={Trash2}
                  variant="delete"
                  aria-describedby={`email-${user.id}`}
                  onClick={() => onDelete(user)}
                >
                  {m.admin_users_delete()}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
