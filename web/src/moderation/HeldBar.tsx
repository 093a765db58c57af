import { Undo2 } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { actionTexts, caseTitle } from './case-texts.ts'
import { sendDecisionNow, undoDecision, useHeldDecisions } from './held-decisions.ts'
import { useKeys } from './use-keys.ts'

/** The form that was submitted is gone, and the focus with it. */
function focusIfLost(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus({ preventScroll: true })
}

/** Shows the decisions that can still be undone. Always on the page, so that screen readers announce a new one. */
export function HeldBar() {
  const held = useHeldDecisions()
  const last = held.findLast(({ undoable }) => undoable)
  useKeys((key) => {
    if (key !== 'u' || !last) return false
    undoDecision(last.item.id)
    return true
  })
  return (
    <div role="status" className="sticky top-20 z-10 grid gap-2 empty:hidden not-empty:mb-6 lg:top-4">
      {held.map(({ item, action, undoable }) => (
        <div
          key={item.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border border-warn/25 bg-warn-soft px-4 py-3"
        >
          <p className="font-bold text-warn">
            {actionTexts(action).button()}
            {m.case_colon()} {caseTitle(item)}.{' '}
            <span className="font-normal">{undoable ? m.case_held() : m.case_sending()}</span>
          </p>
          {undoable && (
            <div className="flex gap-2">
              <Button ref={focusIfLost} onClick={() => undoDecision(item.id)}>
                <Undo2 aria-hidden="true" className="size-5" />
                {m.case_undo()}
              </Button>
              <Button variant="ghost" onClick={() => sendDecisionNow(item.id)}>
                {m.case_send_now()}
              </Button>
            </div>
          )}
        </div>
      ))}
    </div>
  )
}
