import { errorMessage } from '~/lib/api'
import { pageUncovered } from './covered-page.ts'

export type Toast = { id: number; kind: 'success' | 'warning' | 'error'; text: string }

/** More would cover the page: the oldest gives way. */
const MOST_AT_ONCE = 3

let shown: readonly Toast[] = []
let lastId = 0
const watchers = new Set<() => void>()

function show(toasts: readonly Toast[]) {
  shown = toasts
  for (const changed of watchers) changed()
}

/** Behind a dialog a text could be neither read nor heard: it waits until that has closed. */
async function add(kind: Toast['kind'], text: string) {
  await pageUncovered()
  lastId += 1
  show([{ id: lastId, kind, text }, ...shown].slice(0, MOST_AT_ONCE))
}

/** Short texts that come and go; ui/Toasts.tsx shows them and tells screen readers. */
export const toast = {
  success: (text: string) => void add('success', text),
  warning: (text: string) => void add('warning', text),
  /** A text, or whatever a call threw. */
  error: (what: unknown) => void add('error', typeof what === 'string' ? what : errorMessage(what)),
}

/** What stands on the page now, the newest first; a store for `useSyncExternalStore`. */
export const toasts = {
  subscribe(changed: () => void) {
    watchers.add(changed)
    return () => void watchers.delete(changed)
  },
  current: () => shown,
  remove: (gone: number) => show(shown.filter(({ id }) => id !== gone)),
}
