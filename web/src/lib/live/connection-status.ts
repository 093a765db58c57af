import { createStore } from '~/lib/page/store'

/** A shorter interruption, such as a restart of the server, is not shown. */
const SHOW_AFTER_MS = 10_000

let timer: ReturnType<typeof setTimeout> | undefined
const disconnected = createStore(false)

/** Records whether the event stream is connected; a page without one counts as connected. */
export function setConnected(connected: boolean) {
  if (connected) {
    clearTimeout(timer)
    timer = undefined
    disconnected.set(false)
  } else timer ??= setTimeout(() => disconnected.set(true), SHOW_AFTER_MS)
}

/** Returns whether live updates have been missing for so long that the page should say so. */
export const useIsDisconnected = disconnected.useValue
