import { useSyncExternalStore } from 'react'
import { UNDO_MS } from '~/lib/time/undo'

/*
 * Remembers the messages that were marked read by hand a moment ago. They are marked at once; for some seconds all of them
 * can be marked unread again. Stored outside of the cards, because a list of unread messages drops a card once it is read.
 */

let ids: readonly string[] = []
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function setIds(next: readonly string[]) {
  ids = next
  clearTimeout(timer)
  if (ids.length > 0) timer = setTimeout(() => setIds([]), UNDO_MS)
  for (const listener of listeners) listener()
}

/** Records that a message was marked read, or unread again. */
export function recordReadMark(id: string, isRead: boolean) {
  const others = ids.filter((one) => one !== id)
  if (isRead) setIds([...others, id])
  else if (others.length < ids.length) setIds(others)
}

/** Clears the marks, and returns the messages that had them. */
export function takeReadMarks(): readonly string[] {
  const taken = ids
  setIds([])
  return taken
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const NONE: readonly string[] = []

/** Returns the messages whose mark can be undone. */
export const useReadMarks = (): readonly string[] =>
  useSyncExternalStore(
    subscribe,
    () => ids,
    () => NONE,
  )
