import { EARLY_FETCH } from '~/lib/page/inline-head-attributes'
import { getStoredSession, msUntilExpiry, RENEW_BEFORE_MS } from '~/lib/session/stored-session'

/**
 * Fetches what a page of the app shows first while the page's scripts load; lib/http/api.ts hands the responses
 * out. With a query the page may show something else, and a session that is about to end is renewed first. What is for
 * admins is fetched for users who had the admin right when the session was stored; the page shows nothing of it before the
 * server has confirmed that right.
 */
export function startEarlyFetches() {
  const page = document.documentElement
  const urls = page.getAttribute(EARLY_FETCH)
  const session = urls && !location.search ? getStoredSession() : null
  if (!urls || !session || msUntilExpiry(session) < RENEW_BEFORE_MS) return
  const token = session.access_token
  const headers = { authorization: `Bearer ${token}`, 'accept-language': page.lang }
  const responses: Record<string, Promise<Response>> = {}
  for (const url of urls.split(' ')) {
    if (url.startsWith('/api/admin/') && !session.user.user_metadata?.['is_admin']) continue
    responses[url] = fetch(url, { headers })
    responses[url].catch(() => {}) // the code that takes the response handles its failure
  }
  window.platenoteEarlyFetch = { token, sentAt: Date.now(), responses }
  warmUpIntl(page.lang)
}

/**
 * Uses Intl for the first time, which takes a slow phone up to a tenth of a second: better now than while the page is
 * rendered. The browser loads its languages in two parts, so they are two tasks.
 */
function warmUpIntl(locale: string) {
  setTimeout(() => Intl.Collator(locale))
  setTimeout(() => Intl.DateTimeFormat(locale))
}
