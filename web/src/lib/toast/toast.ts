import { errorMessage } from '~/lib/http/api'
import { whenModalClosed } from '~/lib/page/modal-state'

export type Toast = { id: number; kind: 'success' | 'warning' | 'error'; text: string }

/** More would cover the page: the oldest gives way. */
const MAX_VISIBLE = 3

let visible: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function setVisible(toasts: readonly Toast[]) {
  visible = toasts
  for (const listener of listeners) listener()
}

/** Behind a dialog a text could be neither read nor heard: it waits until that has closed. */
async function add(kind: Toast['kind'], text: string) {
  await whenModalClosed()
  lastId += 1
  setVisible([{ id: lastId, kind, text }, ...visible].slice(0, MAX_VISIBLE))
}

/** Short texts that come and go; ui/Toasts.tsx shows them and tells screen readers. */
export const toast = {
  success: (text: string) => void add('success', text),
  warning: (text: string) => void add('warning', text),
  /** A text, or whatever a call threw. */
  error: (what: unknown) => void add('error', typeof what === 'string' ? what : errorMessage(what)),
}

/** What stands on the page now, the newest first; a store for `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  current: () => visible,
  remove: (removedId: number) => setVisible(visible.filter(({ id }) => id !== removedId)),
}
