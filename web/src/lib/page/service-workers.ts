import { storesNothing } from './storage.ts'

/** Returns the browser's service workers; undefined where it has none, or forbids them because nothing is stored. */
export const serviceWorkers = (): ServiceWorkerContainer | undefined =>
  storesNothing ? undefined : navigator.serviceWorker

/** Returns whether this browser, as it is, can show notifications. */
export const isPushSupported = (): boolean =>
  serviceWorkers() !== undefined && 'PushManager' in window && 'Notification' in window
