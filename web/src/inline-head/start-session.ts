import { ACCOUNT_PAGE, EARLY_FETCH } from '~/lib/page/inline-head-attributes'
import { isEndDue } from '~/lib/session/account-cookie'
import { mayHaveSession, requestEnd, requestSession } from '~/lib/session/open-session'

/**
 * Asks for the session, and with it for what a page of the app shows first, while the page's scripts load; lib/session/session.ts
 * hands both out. With a query the page may show something else.
 */
export function startSession() {
  const page = document.documentElement
  const urls = page.getAttribute(EARLY_FETCH)
  if ((urls === null && !page.hasAttribute(ACCOUNT_PAGE)) || !mayHaveSession()) return
  window.platenoteOpening = requestSession(location.search || urls === null ? [] : urls.split(' '))
  window.platenoteOpening.response.catch(() => {}) // the code that takes the response handles its failure
  warmUpIntl(page.lang)
}

/** Tells the server of a sign-out that it has not heard of, before anything else. */
export function endSignedOutSession() {
  if (isEndDue()) requestEnd().catch(() => {}) // the next page tries again
}

/**
 * Uses Intl for the first time, which takes a slow phone up to a tenth of a second: better now than while the page is
 * rendered. The browser loads its languages in two parts, so they are two tasks.
 */
function warmUpIntl(locale: string) {
  setTimeout(() => Intl.Collator(locale))
  setTimeout(() => Intl.DateTimeFormat(locale))
}
