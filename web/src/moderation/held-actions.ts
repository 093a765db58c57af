import { useSyncExternalStore } from 'react'
import { SECOND_MS } from '#contract/time.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'

/*
 * Holds what an admin decides for some seconds before it is sent, so that it can be undone: until then nobody is notified.
 * It is held outside of the pages, because the admin goes on to the next case meanwhile.
 */

/** Enough to see that the wrong key was pressed. */
export const HOLD_MS = 8 * SECOND_MS

/** A decision that is held, or on its way. */
export type HeldAction = {
  /** The id of what is decided about. */
  id: string
  /** Names the decision. */
  title: string
  /** While it can still be undone; then it is being sent. */
  undoable: boolean
}

type NewAction = Pick<HeldAction, 'id' | 'title'> & {
  /** Sends it. What it throws is shown; what was typed must not be lost then. */
  send: () => Promise<void>
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()
const sends = new Map<string, () => Promise<void>>()
let held: readonly HeldAction[] = []
const listeners = new Set<() => void>()

function setHeld(actions: readonly HeldAction[]) {
  held = actions
  for (const listener of listeners) listener()
  // an admin who leaves now is asked whether to lose what has not been sent
  if (held.length > 0) addEventListener('beforeunload', warnBeforeLeaving)
  else removeEventListener('beforeunload', warnBeforeLeaving)
}

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

const without = (id: string) => held.filter((one) => one.id !== id)

/** Holds an action, and sends it when nobody has undone it. */
export function holdAction({ id, title, send }: NewAction) {
  setHeld([...without(id), { id, title, undoable: true }])
  sends.set(id, send)
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => void sendAction(id), HOLD_MS),
  )
}

/** Drops an action that has not been sent. */
export function undoAction(id: string) {
  clearTimeout(timers.get(id))
  timers.delete(id)
  if (sends.delete(id)) setHeld(without(id))
}

/** Sends an action at once. */
export async function sendAction(id: string) {
  const send = sends.get(id)
  if (!send) return // it is being sent
  sends.delete(id)
  clearTimeout(timers.get(id))
  timers.delete(id)
  setHeld(held.map((one) => (one.id === id ? { ...one, undoable: false } : one)))
  try {
    await send()
  } catch (error) {
    toast.error(error)
  }
  setHeld(without(id))
  void queryClient.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const NONE: readonly HeldAction[] = []

/** Returns what is held or being sent, the latest last. */
export const useHeldActions = (): readonly HeldAction[] =>
  useSyncExternalStore(
    subscribe,
    () => held,
    () => NONE,
  )
