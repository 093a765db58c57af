import { useState } from 'react'
import { deleteUser } from '#contract/profile.ts'
import { call } from '~/lib/http/api'
import { setFlashMessage } from '~/lib/session/flash-message'
import { signOutAfter } from '~/lib/session/sign-out'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { useReauthentication } from './use-reauthentication.tsx'

export type DeleteAccountDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Returns what gets the focus when the account stays after all. */
  focusAfter: () => HTMLElement | null
}

/**
 * Deletes the account after a confirmation, signs out, and leads to `/`, which says so (requirements §4). Asks
 * whether it is still them too when the session is not fresh.
 */
export function DeleteAccountDialog({ open, onOpenChange, focusAfter }: DeleteAccountDialogProps) {
  const { id } = useUser()
  const [failure, setFailure] = useState<unknown>(null)
  const { withFreshSession, isAsking, dialog } = useReauthentication(m.profile_delete_again())

  const confirm = async () => {
    setFailure(null)
    try {
      const isDone = await withFreshSession((headers) =>
        signOutAfter(async () => {
          await call(deleteUser, { id }, { headers })
          setFlashMessage(m.profile_deleted())
        }),
      )
      if (!isDone) return true
      return await new Promise<never>(() => {}) // pending until the page is left (lib/session/use-session-events.ts)
    } catch (error) {
      setFailure(error)
      return false // stays open and shows it
    }
  }

  return (
    <>
      <ConfirmDialog
        open={open && !isAsking}
        onOpenChange={(next) => {
          setFailure(null)
          onOpenChange(next)
        }}
        title={m.profile_delete_title()}
        description={m.profile_delete_text()}
        confirmText={m.profile_delete_ask()}
        pendingText={m.profile_deleting()}
        onConfirm={confirm}
        focusAfter={focusAfter}
      >
        <BulletList
          title={m.profile_delete_goes()}
          points={[m.profile_delete_goes_vehicles(), m.profile_delete_goes_messages(), m.profile_delete_goes_rest()]}
        />
        <BulletList title={m.profile_delete_stays()} points={[m.profile_delete_stays_sent()]} />
        <AnnouncedFailure failure={failure} />
      </ConfirmDialog>
      {dialog}
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
