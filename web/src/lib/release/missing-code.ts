import { createPath, matchRoutes, type NavigateOptions } from 'react-router'
import { saveTyped } from '~/lib/form/typed'
import type { Router } from '~/lib/page/load-page'

/*
 * A page that stays open over a release asks for files that are gone. This file comes once the page is there and idle: later it may be
 * gone itself.
 */

declare global {
  interface Window {
    /** React Router's list of pages, whose name changes with every release that changes a file. */
    __reactRouterManifest?: { url: string; routes: Record<string, { module: string } | undefined> }
    __reactRouterRouteModules?: Record<string, unknown>
  }
}

/** Never ends: the page is being left. */
const leaving = () => new Promise<never>(() => {})

/** Returns the files of a page's code that are not loaded yet. */
function missingFiles({ routes }: Router, { pathname }: URL): string[] {
  const { __reactRouterRouteModules: loaded = {}, __reactRouterManifest: manifest } = window
  return (matchRoutes(routes, pathname) ?? []).flatMap(({ route: { id } }) =>
    id in loaded ? [] : (manifest?.routes[id]?.module ?? []),
  )
}

/**
 * Makes every navigation load the code of its page first. React Router reloads the page one is on when that fails, and never
 * tries again; here the server sends the page itself, from the release it has now. Without a connection the page stays, and
 * `sayUnreachable` is called.
 */
export function loadPagesFirst(sayUnreachable: () => void) {
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
      if (!isLoaded) return (await isThere(page.href)) ? openPage(page.href, options) : sayUnreachable()
    }
    return navigate(to, options)
  }
}

const isThere = (href: string) =>
  fetch(href).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Leaves for a page of whatever release the server has. */
function openPage(href: string, { replace = false }: NavigateOptions = {}): Promise<never> {
  if (replace) location.replace(href)
  else location.assign(href)
  return leaving()
}

/**
 * Reloads the page when code for what the user just did cannot be loaded because the server has another release by now. Returns
 * otherwise: without a connection, with the same release, or when nobody did anything and somebody may be typing.
 */
export async function reloadForRelease(): Promise<void> {
  if (navigator.userActivation?.isActive === false) return
  const page = await fetch(location.href, { cache: 'no-store' }).catch(() => null)
  const present = window.__reactRouterManifest?.url
  if (!page?.ok || !present || (await page.text()).includes(present)) return
  saveTyped()
  location.reload()
  await leaving()
}
