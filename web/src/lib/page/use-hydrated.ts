import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/** False in the page as it was written and until its scripts run; true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
