import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PendingDecision } from './DecisionDialogs.tsx'
import type { Decision, VehicleRef } from './optimistic-decisions.ts'
import { useDecide } from './use-decide.ts'

/**
 * Takes the decisions of a page: at once (`decide`), or after a confirmation in `DecisionDialogs`, which gets `dialogs`
 * as its props.
 *
 * @param fallback gets the focus when the card of a decision has left the page
 * @param onDecided is called once the server has carried out a decision
 */
export function useConfirmDecision(fallback: RefObject<HTMLElement | null>, onDecided?: () => void) {
  const { mutate } = useDecide()
  const [pending, setPending] = useState<PendingDecision>()
  const [open, setOpen] = useState(false)
  const confirmed = useRef(false)
  const pressedElement = useRef<Element | null>(null)
  const { restore, remember } = useRestoreFocus(fallback)

  const confirm = ({ id }: VehicleRef) => {
    confirmed.current = true
    remember(id)
    setOpen(false)
  }
  const decide = (decision: Decision) => {
    confirm(decision.vehicle)
    mutate(decision, { onSuccess: onDecided })
  }
  return {
    decide,
    openDialog: (pendingDecision: PendingDecision) => {
      confirmed.current = false
      pressedElement.current = document.activeElement
      remember(pendingDecision.vehicle.id)
      setPending(pendingDecision)
      setOpen(true)
    },
    dialogs: {
      pending,
      open,
      onOpenChange: setOpen,
      onDecide: decide,
      onRejected: (vehicle: VehicleRef) => {
        confirm(vehicle)
        onDecided?.()
      },
      focusAfter: () => {
        // a rejection that failed had removed the button for a while: the one there now is another element
        if (confirmed.current || !pressedElement.current?.isConnected) restore()
        return null
      },
    },
  }
}

/**
 * Keeps the focus on the page when a decision removes the button that was pressed, or later the whole card: moves it to
 * the card, and to `fallback` when the card is gone as well. The id of a card's element is that of its vehicle.
 */
function useRestoreFocus(fallback: RefObject<HTMLElement | null>) {
  const rememberedId = useRef<string | null>(null)

  const restore = () => {
    if (rememberedId.current === null) return
    const card = document.getElementById(rememberedId.current)
    const target = card ?? fallback.current
    target?.focus({ preventScroll: true })
    if (!card) rememberedId.current = null
  }
  useEffect(() => {
    if (document.activeElement === document.body) restore()
  })
  return {
    /** Moves the focus to the card of the last decision, or to `fallback`. */
    restore,
    remember: (id: string) => {
      rememberedId.current = id
    },
  }
}
