// The service worker of the dashboard: notifications on this device, a page for when there is no connection, and the
// files of the build from the cache. Never anything of a person: pages and answers of the interface are not kept.
const VERSION = 'unbuilt' // the build writes its own here, so that each brings its own offline page
const CACHE = `platenote-${VERSION}`
const OFFLINE = { en: '/offline', fr: '/fr/offline' }

const languageOf = (path) => (/^\/fr(?:\/|$)/.test(path) ? 'fr' : 'en')

async function keepOfflinePages() {
  const cache = await caches.open(CACHE)
  for (const path of Object.values(OFFLINE)) {
    const page = await fetch(path, { cache: 'reload' })
    if (!page.ok) throw new Error(`${path} answered ${page.status}`)
    const fonts = (await page.clone().text()).match(/\/assets\/[\w.-]+\.woff2/g) ?? []
    await cache.addAll([...new Set(fonts)])
    await cache.put(path, page)
  }
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
  await self.registration.navigationPreload?.enable() // pages need not wait until the worker has started
  await self.clients.claim()
}

self.addEventListener('install', (event) => event.waitUntil(keepOfflinePages().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

async function page(event, path) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return (await caches.match(OFFLINE[languageOf(path)])) ?? Response.error()
  }
}

/** A file with a hash in its name never changes. */
async function asset(request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  // a full disk must not cost the page its file
  if (response.status === 200) cache.put(request, response.clone()).catch(() => {})
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request))
  else if (request.mode === 'navigate' && !/^\/(?:api|auth|functions|rest|storage|dev)\//.test(url.pathname))
    event.respondWith(page(event, url.pathname))
})

/** What the server wrote (contract/src/push.ts). A push that cannot be read must still show something. */
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

/** Goes there in a tab of the dashboard that is open; it changes its page by itself, so that nothing typed is lost. */
async function open(path) {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const tabs = await self.clients.matchAll({ type: 'window' })
  const inside = tabs.filter((tab) => /^(?:\/fr)?\/(?:dashboard|send)(?:\/|$)/.test(new URL(tab.url).pathname))
  const tab = inside.find(({ visibilityState }) => visibilityState === 'visible') ?? inside[0]
  if (!tab) return self.clients.openWindow(url.href)
  tab.postMessage({ open: path })
  return tab.focus()
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url ?? '/dashboard/notifications'))
})
