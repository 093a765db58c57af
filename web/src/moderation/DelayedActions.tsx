import { Undo2 } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'
import { sendAction, undoAction, useDelayedActions } from './delayed-actions.ts'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

/** Shows the decisions that can still be undone. Always on the page, so that screen readers announce a new one. */
export function DelayedActions() {
  const delayed = useDelayedActions()
  const last = delayed.findLast(({ undoable }) => undoable)
  useKeyboardShortcuts((key) => {
    if (key !== 'u' || !last) return false
    undoAction(last.id)
    return true
  })
  return (
    <div role="status" className="sticky top-20 z-10 grid gap-2 empty:hidden not-empty:mb-6 lg:top-4">
      {delayed.map(({ id, title, undoable }) => (
        <div
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border border-warn/25 bg-warn-soft px-4 py-3"
        >
          <p className="font-bold text-warn">
            {title}. <span className="font-normal">{undoable ? m.case_held() : m.case_sending()}</span>
          </p>
          {undoable && (
            <div className="flex gap-2">
              <Button ref={focusIfLost} onClick={() => undoAction(id)}>
                <Undo2 aria-hidden="true" className="size-5" />
                {m.case_undo()}
              </Button>
              <Button variant="ghost" onClick={() => void sendAction(id)}>
                {m.case_send_now()}
              </Button>
            </div>
          )}
        </div>
      ))}
    </div>
  )
}
