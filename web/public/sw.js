// The service worker of the dashboard: shows notifications, shows a page when there is no connection, and serves the files
// of the build from the cache. It never stores anything personal: neither pages nor responses of the API are cached.
const VERSION = 'unbuilt' // replaced by every build, which brings its own offline page
const CACHE = `platenote-${VERSION}`
const OFFLINE = { en: '/offline', fr: '/fr/offline' }

const languageOf = (path) => (/^\/fr(?:\/|$)/.test(path) ? 'fr' : 'en')

async function cacheOfflinePages() {
  const cache = await caches.open(CACHE)
  for (const path of Object.values(OFFLINE)) {
    const page = await fetch(path, { cache: 'reload' })
    if (!page.ok) throw new Error(`${path} responded with ${page.status}`)
    const fonts = (await page.clone().text()).match(/\/assets\/[\w.-]+\.woff2/g) ?? []
    await cache.addAll([...new Set(fonts)])
    await cache.put(path, page)
  }
}

async function activate() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
  await self.registration.navigationPreload?.enable() // pages need not wait for the worker to start
  await self.clients.claim()
}

self.addEventListener('install', (event) => event.waitUntil(cacheOfflinePages().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(activate()))

async function respondWithPage(event, path) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(OFFLINE[languageOf(path)])) ?? Response.error()
  }
}

/** Responds with a file of the build, which never changes: its name has its hash. */
async function respondWithAsset(request) {
  const cache = await caches.open(CACHE)
  const cached = await cache.match(request)
  if (cached) return cached
  const response = await fetch(request)
  // a full disk must not keep the page from its file
  if (response.status === 200) cache.put(request, response.clone()).catch(() => {})
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(respondWithAsset(request))
  else if (request.mode === 'navigate' && !/^\/(?:api|auth|functions|rest|storage|dev)\//.test(url.pathname))
    event.respondWith(respondWithPage(event, url.pathname))
})

/** Returns the payload that the server sent (contract/src/push.ts). An unreadable push must show something too. */
function readPush(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

self.addEventListener('push', (event) => {
  const { title = 'PlateNote', body, url = '/dashboard/notifications', tag, lang } = readPush(event.data)
  const options = { body, tag, lang, icon: '/icon-192.png', data: { url } }
  event.waitUntil(self.registration.showNotification(title, options))
})

/**
 * Opens a path in a tab that shows the dashboard already, else in a new one. The tab navigates on its own, so that no typed
 * text is lost.
 */
async function openInTab(path) {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const tabs = await self.clients.matchAll({ type: 'window' })
  const appTabs = tabs.filter((tab) => /^(?:\/fr)?\/(?:dashboard|send)(?:\/|$)/.test(new URL(tab.url).pathname))
  const tab = appTabs.find(({ visibilityState }) => visibilityState === 'visible') ?? appTabs[0]
  if (!tab) return self.clients.openWindow(url.href)
  tab.postMessage({ open: path })
  return tab.focus()
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openInTab(event.notification.data?.url ?? '/dashboard/notifications'))
})
