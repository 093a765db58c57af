import { errorMessage } from '~/lib/http/api'
import { whenModalClosed } from '~/lib/page/modal-state'

type Toast = {
  id: number
  kind: 'success' | 'warning' | 'error'
  text: string
  /** The page it was said on. */
  path: string
}

let visible: Toast | null = null
/** What the next page says: it explains why the person is led there. */
let arriving: Toast | null = null
let page: string | undefined
let lastId = 0
const listeners = new Set<() => void>()

function setVisible(toast: Toast | null) {
  visible = toast
  for (const listener of listeners) listener()
}

const makeToast = (kind: Toast['kind'], text: string): Toast => ({ id: ++lastId, kind, text, path: location.pathname })

/** Shows a toast once no dialog is open: behind one it could be neither read nor announced. */
async function show(kind: Toast['kind'], text: string) {
  await whenModalClosed()
  setVisible(makeToast(kind, text))
}

/** Says one short sentence for a while, in place of what was said before, and on this page only; ui/Toasts.tsx renders it. */
export const toast = {
  success: (text: string) => void show('success', text),
  warning: (text: string) => void show('warning', text),
  /** Takes a text, or whatever a call threw. */
  error: (cause: unknown) => void show('error', typeof cause === 'string' ? cause : errorMessage(cause)),
  /** Says it on the page that the person is now led to, which it explains. */
  onNextPage: (kind: Toast['kind'], text: string) => {
    arriving = makeToast(kind, text)
  },
}

/** The toast on the page; a store for `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  current: () => visible,
  remove: () => setVisible(null),
  /**
   * Takes the route of the page that is shown; the items of a list beside it are one page. On another one than before, a toast goes
   * and the one about the change comes. The address changes before the page does: what was said meanwhile stays.
   */
  enterPage(route: string) {
    if (route === page) return
    const isFromBefore = page !== undefined && visible?.path !== location.pathname
    if (arriving || isFromBefore) setVisible(arriving)
    page = route
    arriving = null
  },
}
