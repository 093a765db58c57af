import { useEffect, useState, useSyncExternalStore } from 'react'
import type { InboxKind } from '#contract/inbox.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { queryClient } from '~/lib/query/query-client'
import { UNDO_MS } from '~/lib/time/undo'
import { toast } from '~/lib/toast/toast'
import { removeFromLists } from './queries.ts'

/*
 * Delays what an admin decides for some seconds before it is sent, so that it can be undone: until then nobody is notified.
 * It is kept outside of the pages, because the admin goes on to the next item meanwhile.
 */

/** A decision that is delayed, or on its way. */
export type DelayedAction = {
  /** What is decided about. */
  kind: InboxKind
  id: string
  /** Names the decision. */
  title: string
  /** While it can still be undone; then it is being sent. */
  undoable: boolean
}

type NewAction = Pick<DelayedAction, 'kind' | 'title'> & {
  /** What is decided about, as it was opened: an undo shows it again. */
  opened: { id: string }
  /** Sends it. What it throws is shown; what was typed must not be lost then. */
  send: () => Promise<void>
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()
const sends = new Map<string, () => Promise<void>>()
const openedItems = new Map<string, { id: string }>()
let delayed: readonly DelayedAction[] = []
const listeners = new Set<() => void>()

function setDelayed(actions: readonly DelayedAction[]) {
  delayed = actions
  for (const listener of listeners) listener()
  // an admin who leaves now is asked whether to lose what has not been sent
  if (delayed.length > 0) addEventListener('beforeunload', warnBeforeLeaving)
  else removeEventListener('beforeunload', warnBeforeLeaving)
}

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

const without = (id: string) => delayed.filter((one) => one.id !== id)

/** Delays an action, and sends it when nobody has undone it. */
export function delayAction({ kind, opened, title, send }: NewAction) {
  const { id } = opened
  setDelayed([...without(id), { kind, id, title, undoable: true }])
  openedItems.set(id, opened)
  sends.set(id, send)
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => void sendAction(id), UNDO_MS),
  )
}

/** Drops an action that has not been sent. */
export function undoAction(id: string) {
  clearTimeout(timers.get(id))
  timers.delete(id)
  if (sends.delete(id)) setDelayed(without(id))
}

/** Sends an action at once. */
export async function sendAction(id: string) {
  const send = sends.get(id)
  if (!send) return // it is being sent
  sends.delete(id)
  openedItems.delete(id)
  clearTimeout(timers.get(id))
  timers.delete(id)
  setDelayed(delayed.map((one) => (one.id === id ? { ...one, undoable: false } : one)))
  try {
    await send()
    removeFromLists(id)
  } catch (error) {
    toast.error(error)
  }
  setDelayed(without(id))
  void queryClient.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const NONE: readonly DelayedAction[] = []

/** Returns what is delayed or being sent, the latest last. */
export const useDelayedActions = (): readonly DelayedAction[] =>
  useSyncExternalStore(
    subscribe,
    () => delayed,
    () => NONE,
  )

/** Holds an item that the admin has opened. One whose decision was just undone is open again, once. */
export function useOpened<Opened extends { id: string }>(id: string) {
  const [opened, setOpened] = useState(() => openedItems.get(id) as Opened | undefined)
  useEffect(() => void openedItems.delete(id), [id])
  return [opened, setOpened] as const
}
