import { type RefObject, useRef, useState } from 'react'
import type { PendingDecision } from './DecisionDialogs.tsx'
import type { Decision, VehicleRef } from './optimistic-decisions.ts'
import { useDecide } from './use-decide.ts'
import { useRestoreFocus } from './use-restore-focus.ts'

/**
 * Decisions of a page: taken at once, or asked for first by `DecisionDialogs`, which takes `dialogs` as its props.
 *
 * @param fallback what gets the focus when the decided card leaves the page
 */
export function useConfirmDecision(fallback: RefObject<HTMLElement | null>) {
  const { mutate } = useDecide()
  const [pending, setPending] = useState<PendingDecision>()
  const [open, setOpen] = useState(false)
  const confirmed = useRef(false)
  const pressed = useRef<Element | null>(null)
  const { restore, remember } = useRestoreFocus(fallback)

  const confirm = ({ id }: VehicleRef) => {
    confirmed.current = true
    remember(id)
    setOpen(false)
  }
  const decide = (decision: Decision) => {
    confirm(decision.vehicle)
    mutate(decision)
  }
  return {
    decide,
    openDialog: (pendingDecision: PendingDecision) => {
      confirmed.current = false
      pressed.current = document.activeElement
      remember(pendingDecision.vehicle.id)
      setPending(pendingDecision)
      setOpen(true)
    },
    dialogs: {
      pending: pending,
      open,
      onOpenChange: setOpen,
      onDecide: decide,
      onRejected: confirm,
      focusAfter: () => {
        // a rejection that failed took the button away for a while: the one there now is another
        if (confirmed.current || !pressed.current?.isConnected) restore()
        return null
      },
    },
  }
}
