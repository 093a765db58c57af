import { errorMessage } from '~/lib/http/api'
import { whenModalClosed } from '~/lib/page/modal-state'

export type Toast = { id: number; kind: 'success' | 'warning' | 'error'; text: string }

/** More would cover the page, so the oldest is removed. */
const MAX_VISIBLE = 3

let visible: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setVisible(toasts: readonly Toast[]) {
  visible = toasts
  for (const listener of listeners) listener()
}

/** Adds a toast once no dialog is open: behind one it could be neither read nor announced. */
async function add(kind: Toast['kind'], text: string) {
  await whenModalClosed()
  lastId += 1
  setVisible([{ id: lastId, kind, text }, ...visible].slice(0, MAX_VISIBLE))
}

/** Shows a short text for a while; ui/Toasts.tsx renders and announces it. */
export const toast = {
  success: (text: string) => void add('success', text),
  warning: (text: string) => void add('warning', text),
  /** Takes a text, or whatever a call threw. */
  error: (cause: unknown) => void add('error', typeof cause === 'string' ? cause : errorMessage(cause)),
}

/** The toasts on the page, the newest first; a store for `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  current: () => visible,
  remove: (removedId: number) => setVisible(visible.filter(({ id }) => id !== removedId)),
}
