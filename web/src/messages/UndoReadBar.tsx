import { Undo2 } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'
import { useMarkMessage } from './queries.ts'
import { takeReadMarks, useReadMarks } from './read-marks.ts'

/** Offers to undo 'Mark read' for some seconds. Always on the page, so that screen readers announce it. */
export function UndoReadBar() {
  const count = useReadMarks().length
  const mark = useMarkMessage()
  const undo = () => {
    for (const id of takeReadMarks()) mark.mutate({ id, is_read: false })
  }
  return (
    <div role="status" className="undo-bar sticky bottom-4 z-10 empty:hidden">
      {count > 0 && (
        <div className="mx-auto flex max-w-md items-center justify-between gap-4 rounded-xl border border-line bg-surface py-2 pr-2 pl-4 shadow-float">
          <p className="font-bold">{m.messages_marked_read({ count })}</p>
          <Button ref={focusIfLost} onClick={undo}>
            <Undo2 aria-hidden="true" className="size-5" />
            {m.messages_undo()}
          </Button>
        </div>
      )}
    </div>
  )
}
