import { useState } from 'react'
import { deleteUser } from '#contract/profile.ts'
import { AuthFailureAlert, apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { withToken } from '~/auth/second-factor/reauthenticate'
import { ApiError, call } from '~/lib/http/api'
import { setFlashMessage } from '~/lib/session/flash-message'
import { signOutAfter } from '~/lib/session/sign-out'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { useReauthentication } from './use-reauthentication.ts'

export type DeleteAccountDialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

/**
 * Deletes the account after a confirmation, signs out, and leads to `/`, which says so (requirements §4). Asks
 * whether it is still them too when the session is not fresh.
 */
export function DeleteAccountDialog({ open, onOpenChange }: DeleteAccountDialogProps) {
  const { id } = useUser()
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<AuthFailure | null>(null)
  const reauthentication = useReauthentication({ onFailure: setFailure, onOpen: () => onOpenChange(false) })

  const setOpen = (next: boolean) => {
    setFailure(null)
    onOpenChange(next)
  }
  const deleteAccount = (token?: string) =>
    signOutAfter(async () => {
      await call(deleteUser, { id }, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
      setFlashMessage(m.profile_deleted())
    })
  const confirm = async (token?: string) => {
    setFailure(null)
    setPending(true)
    try {
      await deleteAccount(token)
      // SIGNED_OUT leaves the page (layouts/signed-in/use-session-events.ts); the dialog stays pending until then
    } catch (error) {
      if (error instanceof ApiError && error.code === 'sign_in_again') await reauthentication.open()
      else setFailure(apiFailure(error))
      setPending(false)
    }
  }

  return (
    <>
      <ConfirmDialog
        open={open}
        onOpenChange={(next) => !pending && setOpen(next)}
        title={m.profile_delete_title()}
        description={m.profile_delete_text()}
        confirmText={m.profile_delete_ask()}
        onConfirm={() => void confirm()}
        pending={pending}
        pendingText={m.profile_deleting()}
      >
        <BulletList
          title={m.profile_delete_goes()}
          points={[m.profile_delete_goes_vehicles(), m.profile_delete_goes_messages(), m.profile_delete_goes_rest()]}
        />
        <BulletList title={m.profile_delete_stays()} points={[m.profile_delete_stays_sent()]} />
        <AuthFailureAlert failure={failure} />
      </ConfirmDialog>
      {reauthentication.Dialog && (
        <reauthentication.Dialog
          open={reauthentication.isOpen}
          reason={m.profile_delete_again()}
          onClose={reauthentication.close}
          onSignedIn={(session) => {
            reauthentication.close()
            // shows what goes wrong, and that it is under way
            setOpen(true)
            return withToken(session, confirm)
          }}
        />
      )}
    </>
  )
}

function BulletList({ title, points }: { title: string; points: string[] }) {
  return (
    <div className="grid gap-1">
      <h3 className="font-bold">{title}</h3>
      <ul className="grid list-disc gap-1 pl-5 marker:text-ink-soft">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  )
}
