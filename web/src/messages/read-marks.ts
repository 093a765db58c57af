import { createStore } from '~/lib/page/store'
import { UNDO_MS } from '~/lib/time/timeout'

/*
 * Remembers the messages that were marked read by hand a moment ago. They are marked at once; for some seconds all of them
 * can be marked unread again. Stored outside of the cards, because a list of unread messages drops a card once it is read.
 */

const store = createStore<readonly string[]>([])
let timer: ReturnType<typeof setTimeout> | undefined

/** Returns the messages whose mark can be undone. */
export const useReadMarks = store.useValue

function setIds(ids: readonly string[]) {
  store.set(ids)
  clearTimeout(timer)
  if (ids.length > 0) timer = setTimeout(() => setIds([]), UNDO_MS)
}

/** Records that a message was marked read, or unread again. */
export function recordReadMark(id: string, isRead: boolean) {
  const others = store.get().filter((one) => one !== id)
  if (isRead) setIds([...others, id])
  else if (others.length < store.get().length) setIds(others)
}

/** Clears the marks, and returns the messages that had them. */
export function takeReadMarks(): readonly string[] {
  const taken = store.get()
  setIds([])
  return taken
}
