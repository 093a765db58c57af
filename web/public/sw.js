// The service worker of the dashboard: shows notifications, shows a page when there is no connection, and serves the files
// of the build from the cache. It caches nothing personal: neither pages nor responses of the API. What it stores is what it
// gives a new address of this browser to the server with.
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
  await self.clients.claim()
}

self.addEventListener('install', (event) => event.waitUntil(cacheOfflinePages().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(activate()))

async function respondWithPage(request, path) {
  try {
    return await fetch(request)
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
    event.respondWith(respondWithPage(request, url.pathname))
})

/** Returns the declarative push message that the server sent (contract/src/push.ts). An unreadable push must show something too. */
function readPush(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

/** Writes the number of unread notifications on the app's icon, where there is one; 0 removes it. */
const setBadge = (count) => (Number.isInteger(count) ? self.navigator.setAppBadge?.(count).catch(() => {}) : undefined)

/** Shows a declarative push message as a browser does that knows them; most give them to the worker. */
self.addEventListener('push', (event) => {
  const message = readPush(event.data)
  const shown = message.notification ?? message // a push of the release before has no envelope, and `url`
  const { title = 'PlateNote', body, lang, dir, tag, actions = [], data } = shown
  const page = shown.navigate ?? shown.url ?? '/dashboard/notifications'
  const options = {
    body,
    lang,
    dir,
    tag,
    icon: '/icon-192.png',
    actions: actions.map(({ action, title }) => ({ action, title })),
    data: { ...data, page, pages: Object.fromEntries(actions.map(({ action, navigate }) => [action, navigate])) },
  }
  event.waitUntil(Promise.all([self.registration.showNotification(title, options), setBadge(message.app_badge)]))
})

/**
 * Opens a page in a tab that shows the dashboard already, else in a new one. The tab navigates on its own, so that no typed
 * text is lost. Whatever the address says, it is a page of ours.
 */
async function openInTab(page) {
  const { pathname, search, hash } = new URL(page, location.origin)
  const path = pathname.replace(/^\/+/, '/') + search + hash // '//' would begin another site
  const tabs = await self.clients.matchAll({ type: 'window' })
  const appTabs = tabs.filter((tab) => /^(?:\/fr)?\/(?:dashboard|send)(?:\/|$)/.test(new URL(tab.url).pathname))
  const tab = appTabs.find(({ visibilityState }) => visibilityState === 'visible') ?? appTabs[0]
  if (!tab) return self.clients.openWindow(path)
  tab.postMessage({ open: path })
  return tab.focus()
}

/** A browser lets a worker open a page for some seconds after a tap. */
const ANSWER_TIMEOUT_MS = 6000

/**
 * Answers a message by the token of its push, and says so. Where that fails, for example because the session of this device
 * has ended, it opens the page that offers the answer: whoever is signed in there has to send it.
 */
async function answerComing({ tag, data }) {
  try {
    // it ends when somebody else signs in here
    if ((await self.registration.pushManager.getSubscription()) === null) throw new Error('no subscription')
    const response = await fetch('/api/push/answers', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: data.answer_token }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`responded with ${response.status}`)
    const { title, body, lang, unread } = await response.json()
    await setBadge(unread)
    const options = { body, lang, dir: 'ltr', tag, icon: '/icon-192.png', silent: true, data: { page: data.page } }
    await self.registration.showNotification(title, options)
  } catch {
    await openInTab(data.pages.coming)
  }
}

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  notification.close()
  event.waitUntil(action === 'coming' ? answerComing(notification) : openInTab(notification.data.page))
})

/** Opens the worker's own storage and does one thing in it. */
const inStore = (mode, act) =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('platenote-push', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('renewal')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const db = opening.result
      const request = act(db.transaction('renewal', mode).objectStore('renewal'))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
      request.transaction.oncomplete = () => db.close()
    }
  })

/** A page tells what a new address is given to the server with, whenever it sends the present one. */
self.addEventListener('message', (event) => {
  const { renewal } = event.data ?? {}
  if (renewal) event.waitUntil(inStore('readwrite', (store) => store.put(renewal, 'present')))
})

/**
 * Gives the server the new address of this browser. Pushes to the former one are lost from now on, and it may take days until a
 * page is opened that would tell. Worth nothing once the session has ended; where it fails, the next visit does it.
 */
async function renewSubscription(newSubscription) {
  const renewal = await inStore('readonly', (store) => store.get('present'))
  if (!renewal) return
  const { pushManager } = self.registration
  const options = { userVisibleOnly: true, applicationServerKey: renewal.publicKey }
  const { endpoint, keys } = (newSubscription ?? (await pushManager.subscribe(options))).toJSON()
  await fetch('/api/push/renewals', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, token: renewal.token }),
  })
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event.newSubscription)))
