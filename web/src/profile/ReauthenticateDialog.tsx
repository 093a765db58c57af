import { useLayoutEffect, useRef, useState } from 'react'
import { FactorChallenge } from '~/auth/second-factor/FactorChallenge'
import { Reauthentication } from '~/auth/second-factor/Reauthentication'
import { endOpened, type OpenedSession } from '~/auth/second-factor/reauthenticate'
import { m } from '~/paraglide/messages'
import { Dialog } from '~/ui/signed-in/Dialog'

export type ReauthenticateDialogProps = {
  open: boolean
  /** Why it is asked. */
  reason: string
  /** Called with a fresh session, which the callee ends or makes that of this browser; null: it was closed. */
  onClose: (session: OpenedSession | null) => void
}

/**
 * Asks for the password or an emailed code, and for the second step of an account that has one, before something that an
 * unattended browser must neither give away nor delete. The session of this browser stays as it is, so no other tab notices
 * and no draft is lost.
 */
export function ReauthenticateDialog({ open, reason, onClose }: ReauthenticateDialogProps) {
  const [challenged, setChallenged] = useState<OpenedSession | null>(null)
  const isOpen = useRef(open)
  useLayoutEffect(() => {
    isOpen.current = open
  }, [open])
  const close = (session: OpenedSession | null) => {
    if (challenged && !session) void endOpened(challenged)
    setChallenged(null)
    onClose(session)
  }
  const handleOpened = async (session: OpenedSession) => {
    if (!isOpen.current) return void endOpened(session) // closed while it was being checked: nothing is to happen any more
    if (session.factors.length === 0) return close(session)
    setChallenged(session)
    return undefined
  }
  return (
    <Dialog
      open={open}
      onOpenChange={() => close(null)}
      title={challenged ? m.two_step_title() : m.profile_again_title()}
      description={reason}
      initialFocus={() => document.querySelector<HTMLElement>('dialog :is([name=password], [name=send-code])')}
    >
      {challenged ? (
        <FactorChallenge factors={challenged.factors} client={challenged.client} onVerified={() => close(challenged)} />
      ) : (
        <Reauthentication onOpened={handleOpened} />
      )}
    </Dialog>
  )
}
