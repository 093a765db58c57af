import { type RefObject, useRef, useState } from 'react'
import type { Asked } from './DecisionDialogs.tsx'
import type { DecidedVehicle, Decision } from './decisions.ts'
import { useDecide } from './use-decide.ts'
import { useFocusKept } from './use-focus-kept.ts'

/**
 * Decisions of a page: taken at once, or asked for first by `DecisionDialogs`, which takes `dialogs` as its props.
 *
 * @param fallback what gets the focus when the decided card leaves the page
 */
export function useAsked(fallback: RefObject<HTMLElement | null>) {
  const { mutate } = useDecide()
  const [asked, setAsked] = useState<Asked>()
  const [open, setOpen] = useState(false)
  const taken = useRef(false)
  const pressed = useRef<Element | null>(null)
  const { restore, decidedOn } = useFocusKept(fallback)

  const take = ({ id }: DecidedVehicle) => {
    taken.current = true
    decidedOn(id)
    setOpen(false)
  }
  const decide = (decision: Decision) => {
    take(decision.vehicle)
    mutate(decision)
  }
  return {
    decide,
    ask: (question: Asked) => {
      taken.current = false
      pressed.current = document.activeElement
      decidedOn(question.vehicle.id)
      setAsked(question)
      setOpen(true)
    },
    dialogs: {
      asked,
      open,
      onOpenChange: setOpen,
      onDecide: decide,
      onRejected: take,
      focusAfter: () => {
        // a rejection that failed took the button away for a while: the one there now is another
        if (taken.current || !pressed.current?.isConnected) restore()
        return null
      },
    },
  }
}
