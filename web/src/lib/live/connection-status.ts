import { useSyncExternalStore } from 'react'

/** A shorter interruption, such as a restart of the server, is not shown. */
const SHOW_AFTER_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
let disconnected = false
const listeners = new Set<() => void>()

function setDisconnected(next: boolean) {
  if (disconnected === next) return
  disconnected = next
  for (const listener of listeners) listener()
}

/** Records whether the event stream is connected; a page without one counts as connected. */
export function setConnected(connected: boolean) {
  if (connected) {
    clearTimeout(timer)
    timer = undefined
    setDisconnected(false)
  } else timer ??= setTimeout(() => setDisconnected(true), SHOW_AFTER_MS)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns whether live updates have been missing for so long that the page should say so. */
export const useIsDisconnected = () =>
  useSyncExternalStore(
    subscribe,
    () => disconnected,
    () => false,
  )
