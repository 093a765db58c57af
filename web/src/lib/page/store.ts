import { useSyncExternalStore } from 'react'

/** Holds a value outside of the pages, which are rendered again when it changes; a prerendered page has the first one. */
export function createStore<Value>(first: Value) {
  let value = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = () => value
  return {
    get,
    set(next: Value) {
      value = next
      for (const listener of listeners) listener()
    },
    useValue: () => useSyncExternalStore(subscribe, get, () => first),
  }
}
