import type { ReactNode } from 'react'
import { errorMessage } from '~/lib/http/api'
import { whenModalClosed } from '~/lib/page/modal-state'
import { createStore } from '~/lib/page/store'

type Toast = {
  id: number
  kind: 'success' | 'warning' | 'error'
  text: ReactNode
  /** The page it was said on. */
  path: string
}

const visible = createStore<Toast | null>(null)
/** What the next page says: it explains why the person is led there. */
let arriving: Toast | null = null
let page: string | undefined
let lastId = 0

const makeToast = (kind: Toast['kind'], text: ReactNode): Toast => ({
  id: ++lastId,
  kind,
  text,
  path: location.pathname,
})

/** Shows a toast once no dialog is open: behind one it could be neither read nor announced. */
async function show(kind: Toast['kind'], text: ReactNode) {
  await whenModalClosed()
  visible.set(makeToast(kind, text))
}

/** Says one short sentence for a while, in place of what was said before, and on this page only; ui/Toasts.tsx renders it. */
export const toast = {
  success: (text: ReactNode) => void show('success', text),
  warning: (text: ReactNode) => void show('warning', text),
  /** Takes a text, or whatever a call threw. */
  error: (cause: unknown) => void show('error', errorMessage(cause)),
  /** Says it on the page that the person is now led to, which it explains. */
  onNextPage: (kind: Toast['kind'], text: ReactNode) => {
    arriving = makeToast(kind, text)
  },
}

/** The toast on the page. */
export const shownToast = {
  useValue: visible.useValue,
  remove: () => visible.set(null),
  /**
   * Takes the route of the page that is shown; the items of a list beside it are one page. On another one than before, a toast goes
   * and the one about the change comes. The address changes before the page does: what was said meanwhile stays.
   */
  enterPage(route: string) {
    if (route === page) return
    const isFromBefore = page !== undefined && visible.get()?.path !== location.pathname
    if (arriving || isFromBefore) visible.set(arriving)
    page = route
    arriving = null
  },
}
