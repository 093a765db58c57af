import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { UserSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import { type AdminUser, SEARCH_MAX } from '#contract/admin.ts'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { TextField } from '~/ui/Field'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { DeleteUserDialog } from './DeleteUserDialog.tsx'
import { itemsOf, usersQuery } from './list-queries.ts'
import { PagedList } from './PagedList.tsx'
import { ShownCount } from './ShownCount.tsx'
import { UsersTable } from './UsersTable.tsx'
import { useDeleteUser, useUsersBeingDeleted } from './use-delete-user.ts'
import { useUrlFields } from './use-url-fields.ts'

const FIELDS = ['search'] as const

/** /admin/users: all accounts, found by address or name (spec §2). */
export function UsersPage() {
  const { inUrl, shown, type, clear } = useUrlFields(FIELDS)
  // while the next search is read the last one stays, dimmed: no flicker at every letter
  const list = useInfiniteQuery({ ...usersQuery(inUrl.search.trim()), placeholderData: keepPreviousData })
  const leaving = useUsersBeingDeleted()
  const users = itemsOf(list.data).filter(({ id }) => !leaving.includes(id))
  const count = useRef<HTMLParagraphElement>(null)
  const { asked, ask, cancel, confirm } = useAsked()

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
          value={shown.search}
          onChange={(event) => type('search', event.target.value)}
        />
      </search>
      <ShownCount ref={count} text={list.data && m.admin_users_shown({ count: users.length })} />
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
          <UsersTable users={users} onDelete={ask} />
        </Card>
      </PagedList>
      {asked && (
        <DeleteUserDialog
          key={asked.user.id}
          user={asked.user}
          open={asked.state === 'open'}
          onCancel={cancel}
          onConfirm={confirm}
          // the button that was pressed leaves with its row
          finalFocus={() => (asked.state === 'confirmed' ? count.current : null)}
        />
      )}
    </>
  )
}

/** Whose account is to be deleted, while the dialog asks and while it closes. */
function useAsked() {
  const { mutate } = useDeleteUser()
  const [asked, setAsked] = useState<{ user: AdminUser; state: 'open' | 'cancelled' | 'confirmed' }>()
  return {
    asked,
    ask: (user: AdminUser) => setAsked({ user, state: 'open' }),
    cancel: () => setAsked(asked && { ...asked, state: 'cancelled' }),
    confirm: (reason: string) => {
      if (!asked) return
      setAsked({ ...asked, state: 'confirmed' })
      mutate({ user: asked.user, reason })
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
