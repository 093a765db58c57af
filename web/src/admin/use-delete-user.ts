import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { AdminUser } from '#contract/admin.ts'
import { deleteUser } from '#contract/profile.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { call } from '~/lib/http/api'
import { mapPageItems, type Pages } from '~/lib/query/paged'
import { setFlashMessage } from '~/lib/session/flash-message'
import { signOutAfter } from '~/lib/session/sign-out'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'
import { withFreshFactor } from './frame/step-up.ts'
import { USERS_KEY } from './queries.ts'

const mutationKey = [ADMIN_QUERY_KEY, 'delete-user']

type Deletion = { user: AdminUser; reason: string }

/**
 * Deletes an account, which lists leave out meanwhile by `useDeletingUserIds`. Admins who delete their own are signed
 * out and land on the landing page (requirements §4).
 */
export function useDeleteUser() {
  const queries = useQueryClient()
  const self = useUser()
  return useMutation({
    mutationKey,
    networkMode: 'always', // without a connection it fails at once and says so, instead of running hours later
    mutationFn: async (deletion: Deletion) => {
      if (deletion.user.id !== self.id) return withFreshFactor(() => sendDeletion(deletion))
      await signOutAfter(async () => {
        await sendDeletion(deletion)
        setFlashMessage(m.admin_users_deleted())
      })
    },
    onSuccess: (_, { user }) => {
      queries.setQueriesData<Pages<AdminUser>>({ queryKey: USERS_KEY }, (data) =>
        mapPageItems(data, (users) => users.filter(({ id }) => id !== user.id)),
      )
      if (user.id !== self.id) toast.success(m.admin_users_deleted())
    },
    onError: (error) => toast.error(error),
    // their vehicles, disputes and counts are gone too; after a failure, another admin may have been faster
    onSettled: (_, error, { user }) => {
      if (error || user.id !== self.id) void queries.invalidateQueries()
    },
  })
}

/**
 * Returns the ids of the users being deleted. After a failure an id is no longer among them, and the user reappears.
 */
export const useDeletingUserIds = (): string[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => (state.variables as Deletion).user.id,
  })

const sendDeletion = ({ user, reason }: Deletion) =>
  call(deleteUser, { id: user.id, ...(hasVisibleCharacter(reason) && { reason }) }, { withTimeout: true })
