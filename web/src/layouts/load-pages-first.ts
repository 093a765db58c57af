import { createPath, matchRoutes, type NavigateOptions } from 'react-router'
import type { Router } from '~/lib/page/load-page'
import { leaving } from '~/lib/release/reload-for-release'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'

declare global {
  interface Window {
    __reactRouterRouteModules?: Record<string, unknown>
  }
}

/** Returns the files of a page's code that are not loaded yet. */
function missingFiles({ routes }: Router, { pathname }: URL): string[] {
  const { __reactRouterRouteModules: loaded = {}, __reactRouterManifest: manifest } = window
  return (matchRoutes(routes, pathname) ?? []).flatMap(({ route: { id } }) =>
    id in loaded ? [] : (manifest?.routes[id]?.module ?? []),
  )
}

/**
 * Makes every navigation load the code of its page first. React Router reloads the page one is on when that fails, and never
 * tries again; here the server sends the page itself, from the release it has now. Without a connection the page stays.
 */
export function loadPagesFirst() {
  const router = window.__reactRouterDataRouter
  if (!router) return
  const { navigate } = router
  let latest = 0
  router.navigate = async (to, options) => {
    const turn = ++latest
    if (to === null || typeof to === 'number') return navigate(to, options)
    const page = new URL(
      typeof to === 'string' ? to : createPath({ pathname: location.pathname, ...to }),
      location.href,
    )
    const files = missingFiles(router, page)
    if (files.length > 0) {
      const isLoaded = await Promise.all(files.map((file) => import(/* @vite-ignore */ file))).then(
        () => true,
        () => false,
      )
      if (turn !== latest) return undefined // something else was clicked meanwhile
      if (!isLoaded) return openPage(page.href, options)
    }
    return navigate(to, options)
  }
}

/** Leaves for a page of whatever release the server has. Says so when there is no connection, and stays. */
async function openPage(href: string, { replace = false }: NavigateOptions = {}): Promise<void> {
  const isThere = await fetch(href).then(
    ({ status }) => status < 500,
    () => false,
  )
  if (!isThere) return toast.error(m.error_network())
  if (replace) location.replace(href)
  else location.assign(href)
  return leaving()
}
