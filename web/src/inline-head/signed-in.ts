import { hasStoredSession } from '~/lib/session/stored-session'

/** Marks `<html>` while somebody is signed in: pages without scripts show their signed-in buttons by this class. */
export function markSignedIn() {
  const mark = () => document.documentElement.classList.toggle('signed-in', hasStoredSession())
  mark()
  addEventListener('storage', mark) // another tab signed in or out
  addEventListener('pageshow', mark) // a page restored from the back/forward cache missed that
}
