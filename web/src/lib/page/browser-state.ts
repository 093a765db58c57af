import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/** Returns false in the prerendered page and until its scripts run; true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )

function subscribeToConnection(onChange: () => void) {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Returns whether the device has a connection at all; PlateNote may be out of reach even so. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  )
