import { Undo2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { type DelayedAction, sendAction, undoAction, useDelayedActions } from './delayed-actions.ts'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

/** Shows the decisions that can still be undone. Always on the page, so that screen readers announce a new one. */
export function DelayedActions() {
  const navigate = useNavigate()
  const delayed = useDelayedActions()
  const last = delayed.findLast(({ timer }) => timer !== null)
  const undo = ({ kind, id }: DelayedAction) => {
    undoAction(id)
    void navigate(href(paths.adminInbox(kind, id)))
  }
  useKeyboardShortcuts((key) => {
    if (key !== 'u' || !last) return false
    undo(last)
    return true
  })
  return (
    <div role="status" className="sticky top-20 z-10 grid gap-2 empty:hidden not-empty:mb-6 lg:top-4">
      {delayed.map((one) => (
        <div
          key={one.id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border border-warn/25 bg-warn-soft px-4 py-3"
        >
          <p className="font-bold text-warn">
            {one.title}. <span className="font-normal">{one.timer ? m.inbox_held() : m.inbox_sending()}</span>
          </p>
          {one.timer && (
            <div className="flex gap-2">
              <Button onClick={() => undo(one)}>
                <Undo2 aria-hidden="true" className="size-5" />
                {m.inbox_undo()}
              </Button>
              <Button variant="ghost" onClick={() => void sendAction(one.id)}>
                {m.inbox_send_now()}
              </Button>
            </div>
          )}
        </div>
      ))}
    </div>
  )
}
