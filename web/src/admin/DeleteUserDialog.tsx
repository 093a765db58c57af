import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { DELETE_REASON_MAX, deleteUser } from '#contract/profile.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { formatDate } from '~/lib/dates/dates'
import { call } from '~/lib/http/api'
import { usePendingInputs } from '~/lib/query/mutations'
import { mapPageItems, type Pages } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { TextArea } from '~/ui/TextArea'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'
import { withFreshFactor } from './frame/StepUp.tsx'
import { USERS_KEY } from './queries.ts'

type Props = {
  user: AdminUser
  open: boolean
  onOpenChange: (open: boolean) => void
  focusAfter: () => HTMLElement | null
}

/**
 * Asks to confirm the deletion of an account, and for its reason, which goes to the audit log. Takes the user's id as
 * its `key`, so that the typed reason is still there when the same account is chosen again, as after a failure.
 */
export function DeleteUserDialog({ user, ...dialog }: Props) {
  const { mutate } = useDeleteUser()
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      {...dialog}
      title={m.admin_users_confirm_title()}
      description={m.admin_users_confirm_text()}
      confirmText={m.admin_users_confirm_submit()}
      onConfirm={() => mutate({ user, reason })}
    >
      <div className="rounded-xl bg-sunken p-4">
        {user.full_name && (
          <p translate="no" className="font-bold">
            {user.full_name}
          </p>
        )}
        <p translate="no" className={user.full_name ? undefined : 'font-bold'}>
          {user.email}
        </p>
        <p className="text-sm text-ink-soft">{m.admin_users_confirm_since({ date: formatDate(user.created_at) })}</p>
      </div>
      <TextArea
        label={m.admin_users_reason()}
        hint={m.admin_users_reason_hint()}
        optional
        rows={2}
        maxLength={DELETE_REASON_MAX}
        maxCharacters={DELETE_REASON_MAX}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}

const mutationKey = [ADMIN_QUERY_KEY, 'delete-user']

type Deletion = { user: AdminUser; reason: string }

/** Deletes somebody else's account. */
function useDeleteUser() {
  return useMutation({
    mutationKey,
    mutationFn: ({ user, reason }: Deletion) =>
      withFreshFactor(() =>
        call(deleteUser, { id: user.id, ...(hasVisibleCharacter(reason) && { reason }) }, { withTimeout: true }),
      ),
    onSuccess: (_, { user }) => {
      queryClient.setQueriesData<Pages<AdminUser>>({ queryKey: USERS_KEY }, (data) =>
        mapPageItems(data, (users) => users.filter(({ id }) => id !== user.id)),
      )
      toast.success(m.admin_users_deleted())
    },
    // their vehicles, disputes and counts are gone too; after a failure, another admin may have been faster
    onSettled: () => void queryClient.invalidateQueries(),
  })
}

/** Returns the ids of the users being deleted, which the list leaves out: after a failure a user reappears. */
export const useDeletingUserIds = (): string[] => usePendingInputs<Deletion>(mutationKey).map(({ user }) => user.id)
