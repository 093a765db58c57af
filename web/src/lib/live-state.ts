import { useSyncExternalStore } from 'react'

/** A shorter break, such as a restart of the server, is nobody's business. */
const LATE_AFTER_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
let late = false
const watchers = new Set<() => void>()

function setLate(now: boolean) {
  if (late === now) return
  late = now
  for (const tell of watchers) tell()
}

/** Notes whether the stream of events is there; where nothing listens to it, it counts as there. */
export function noteLive(connected: boolean) {
  if (connected) {
    clearTimeout(timer)
    timer = undefined
    setLate(false)
  } else timer ??= setTimeout(() => setLate(true), LATE_AFTER_MS)
}

function watch(tell: () => void) {
  watchers.add(tell)
  return () => void watchers.delete(tell)
}

/** Whether live news have been away for so long that the page should say so. */
export const useLiveIsLate = () =>
  useSyncExternalStore(
    watch,
    () => late,
    () => false,
  )
