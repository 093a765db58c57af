import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PendingDecision } from './DecisionDialogs.tsx'
import type { Decision, VehicleRef } from './optimistic-decisions.ts'
import { useDecide } from './use-decide.ts'

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

/**
 * Keeps the focus on the page when a decision takes away the button that was pressed, or later the whole card: it goes
 * to the card, and to `fallback` when that has gone too. Cards carry their id as the id of the element.
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
    /** Puts the focus where it belongs after the last decision. */
    restore,
    remember: (id: string) => {
      rememberedId.current = id
    },
  }
}
