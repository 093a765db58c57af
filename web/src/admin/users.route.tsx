import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { UserSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import { type AdminUser, SEARCH_MAX } from '#contract/admin.ts'
import { privatePageMeta } from '~/lib/page/page-meta'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { DeleteUserDialog } from './DeleteUserDialog.tsx'
import { PagedList } from './frame/PagedList.tsx'
import { usersQuery } from './queries.ts'
import { ResultCount } from './ResultCount.tsx'
import { UsersTable } from './UsersTable.tsx'
import { useDeleteUser, useDeletingUserIds } from './use-delete-user.ts'
import { useSearchParamFilters } from './use-search-param-filters.ts'

export const meta = () => privatePageMeta(m.admin_users_title())

const FILTER_NAMES = ['search'] as const

/** Renders /admin/users: all accounts, searchable by email address or name (requirements §2). */
export default function UsersPage() {
  const { inUrl, fieldValues, onType, clear } = useSearchParamFilters(FILTER_NAMES)
  // while the next search loads, the last result stays, dimmed: without that the page would flicker at every letter
  const list = useInfiniteQuery({ ...usersQuery(inUrl.search.trim()), placeholderData: keepPreviousData })
  const deletingIds = useDeletingUserIds()
  const users = flattenPages(list.data).filter(({ id }) => !deletingIds.includes(id))
  const count = useRef<HTMLParagraphElement>(null)
  const { pendingDeletion, openDialog, cancel, confirm } = useConfirmDeletion()

  return (
    <>
      <PageHeader title={m.admin_users_title()}>{m.admin_users_intro()}</PageHeader>
      <search className="block max-w-xl pb-5">
        <TextField
          label={m.admin_users_search()}
          type="search"
          placeholder={m.admin_users_search_hint()}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={SEARCH_MAX}
          value={fieldValues.search}
          onChange={(event) => onType('search', event.target.value)}
        />
      </search>
      <ResultCount ref={count} text={list.data && m.admin_users_shown({ count: users.length })} />
      <PagedList
        list={list}
        isEmpty={users.length === 0}
        skeleton={<UsersSkeleton />}
        empty={
          <EmptyState
            icon={UserSearch}
            title={m.admin_users_empty()}
            action={inUrl.search !== '' && <Button onClick={clear}>{m.admin_users_all()}</Button>}
          />
        }
      >
        <Card
          aria-busy={list.isPlaceholderData}
          className={clsx('overflow-hidden p-0!', list.isPlaceholderData && 'opacity-60')}
        >
          <UsersTable users={users} onDelete={openDialog} />
        </Card>
      </PagedList>
      {pendingDeletion && (
        <DeleteUserDialog
          key={pendingDeletion.user.id}
          user={pendingDeletion.user}
          open={pendingDeletion.state === 'open'}
          onCancel={cancel}
          onConfirm={confirm}
          // the pressed button is removed with its row
          finalFocus={() => (pendingDeletion.state === 'confirmed' ? count.current : null)}
        />
      )}
    </>
  )
}

/** Holds the account to delete while the dialog is open and while it closes. */
function useConfirmDeletion() {
  const { mutate } = useDeleteUser()
  const [deletion, setDeletion] = useState<{ user: AdminUser; state: 'open' | 'cancelled' | 'confirmed' }>()
  return {
    pendingDeletion: deletion,
    openDialog: (user: AdminUser) => setDeletion({ user, state: 'open' }),
    cancel: () => setDeletion(deletion && { ...deletion, state: 'cancelled' }),
    confirm: (reason: string) => {
      if (!deletion) return
      setDeletion({ ...deletion, state: 'confirmed' })
      mutate({ user: deletion.user, reason })
    },
  }
}

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

function UsersSkeleton() {
  return (
    <div className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface">
      {ROWS.map((row) => (
        <div key={row} className="grid gap-3 px-5 py-5 sm:grid-cols-2 sm:px-6">
          <Skeleton className="h-5 w-56 max-w-full" />
          <Skeleton className="h-5 w-32" />
        </div>
      ))}
    </div>
  )
}
