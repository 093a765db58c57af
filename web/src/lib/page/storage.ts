/*
 * What the browser stores for this site: no other file asks it for that. Some browsers forbid it, or have none (cookies and site
 * data are blocked, or the browser is part of another app): values last as long as the page then, in a storage of the same
 * interface that takes the browser's place, for React Router and the inline head script as well.
 */

/** The name of who has agreed to which version of the terms. */
export const CONSENT_KEY = 'consent'

type Kind = 'localStorage' | 'sessionStorage'
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Holds values as long as the page is open. */
export class MemoryStorage extends Map<string, string> implements Store {
  getItem(name: string) {
    return this.get(name) ?? null
  }
  setItem(name: string, value: string) {
    this.set(name, value)
  }
  removeItem(name: string) {
    this.delete(name)
  }
}

function open(kind: Kind): Store {
  try {
    if (window[kind]) return window[kind]
  } catch {
    // forbidden; or the page is being prerendered
  }
  const memory = new MemoryStorage()
  if (typeof window !== 'undefined') Object.defineProperty(window, kind, { value: memory })
  return memory
}

const local = open('localStorage')
const session = open('sessionStorage')

const withoutRoom = (store: Store): Store => ({
  getItem: (name) => store.getItem(name),
  setItem(name, value) {
    try {
      store.setItem(name, value)
    } catch {
      // there is no room
    }
  },
  removeItem: (name) => store.removeItem(name),
})

/** What every tab of this browser knows, until it is removed. */
export const browserStore = withoutRoom(local)

/** What this tab knows until it is closed. */
export const tabStore = withoutRoom(session)

/** Returns what a store has under a name, from its JSON; undefined: nothing, or something else wrote there. Check its shape. */
export function readJson(store: Store, name: string): unknown {
  try {
    return JSON.parse(store.getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Returns the names in `tabStore` that start with a prefix. */
export const tabNames = (prefix: string): string[] =>
  (session instanceof Map ? [...session.keys()] : Object.keys(session)).filter((name) => name.startsWith(prefix))

/** Whether cookies are blocked, so that a full load of a page signs out: the inline head script has found out (inline-head/try-cookies.ts). */
export const storesNothing = typeof window !== 'undefined' && document.documentElement.matches('.stores-nothing')
