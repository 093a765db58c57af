import { type ComponentProps, useState } from 'react'
import type { AdminUser } from '#contract/admin.ts'
import { DELETE_REASON_MAX } from '#contract/profile.ts'
import { formatDate } from '~/lib/dates/dates'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { TextArea } from '~/ui/TextArea'

type Props = {
  open: boolean
  user: AdminUser
  onCancel: () => void
  onConfirm: (reason: string) => void
  finalFocus: ComponentProps<typeof ConfirmDialog>['finalFocus']
}

/**
 * Asks to confirm the deletion of an account, and for its reason, which goes to the audit log. Takes the user's id as
 * its `key`, so that the typed reason is still there when the same account is chosen again, as after a failure.
 */
export function DeleteUserDialog({ open, user, onCancel, onConfirm, finalFocus }: Props) {
  const self = useUser()
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onCancel}
      title={m.admin_users_confirm_title()}
      description={m.admin_users_confirm_text()}
      confirmText={m.admin_users_confirm_submit()}
      onConfirm={() => onConfirm(reason)}
      finalFocus={finalFocus}
    >
      <div className="rounded-xl bg-sunken p-4 wrap-anywhere">
        {user.full_name && <p className="font-bold">{user.full_name}</p>}
        <p className={user.full_name ? undefined : 'font-bold'}>{user.email}</p>
        <p className="text-sm text-ink-soft">{m.admin_users_confirm_since({ date: formatDate(user.created_at) })}</p>
      </div>
      {user.id === self.id ? (
        <p className="rounded-xl bg-warn-soft p-4 font-bold text-warn">{m.admin_users_confirm_own()}</p>
      ) : (
        // the audit log does not record that somebody deleted their own account
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
      )}
    </ConfirmDialog>
  )
}
