import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { sectionButtonClass } from './ProfileSection.tsx'
import { sessionsQuery } from './queries.ts'
import { signedInAuthRequest } from './signed-in-auth-request.ts'

/** Ends every session but this one, after a confirmation. `alone`: there is no other. */
export function EndOtherSessions({ alone }: { alone: boolean }) {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const [pending, setPending] = useState(false)
  const container = useRef<HTMLDivElement>(null)

  const end = async () => {
    setPending(true)
    const outcome = await signedInAuthRequest(m.error_unexpected(), async ({ auth }) => {
      const { error } = await auth.signOut({ scope: 'others' })
      return { data: null, error }
    })
    if (outcome.state === 'failed') toast.error(outcome.failure.text)
    else toast.success(m.profile_sessions_ended())
    await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    setPending(false)
    setOpen(false)
  }

  return (
    <div ref={container} tabIndex={-1} className="grid rounded-lg">
      {alone ? (
        <p className="text-ink-soft">{m.profile_sessions_alone()}</p>
      ) : (
        <Button className={sectionButtonClass} onClick={() => setOpen(true)}>
          {m.profile_sessions_end()}
        </Button>
      )}
      <ConfirmDialog
        open={open}
        onOpenChange={(next) => !pending && setOpen(next)}
        title={m.profile_sessions_end_title()}
        description={m.profile_sessions_end_text()}
        confirmText={m.profile_sessions_end()}
        onConfirm={() => void end()}
        pending={pending}
        pendingText={m.profile_sessions_ending()}
        finalFocus={() => container.current} // the button is gone with the other sessions
      />
    </div>
  )
}
