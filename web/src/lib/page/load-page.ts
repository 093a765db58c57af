import type { DataRouteObject, NavigateOptions, To } from 'react-router'
import { storesNothing } from './storage.ts'

export type Router = {
  routes: DataRouteObject[]
  navigate: (to: To | number | null, options?: NavigateOptions) => Promise<void>
}

declare global {
  interface Window {
    __reactRouterDataRouter?: Router
  }
}

/** Leaves for another page, by a full load; inside the app where nothing is stored, because a load would sign out. */
export function loadPage(path: string, { replace = false } = {}): void {
  const router = storesNothing && window.__reactRouterDataRouter
  if (router) void router.navigate(path, { replace })
  else if (replace) location.replace(path)
  else location.assign(path)
}
