import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { paths } from '#contract/paths.ts'
import { discardDrafts, setDraftOwner } from '~/lib/form/drafts'
import { currentPath, getLocale, href } from '~/lib/i18n/i18n'
import { loadPage } from '~/lib/page/load-page'
import { setAppBadge } from '~/lib/push/push-subscription'
import { accountLanguage } from './account-cookie.ts'
import { type AuthBroadcast, currentSession } from './session.ts'
import { isSigningOut, SIGN_OUT_CHANNEL } from './sign-out.ts'
import { SESSION_CHANNEL, signedInUserId } from './tab-session.ts'

/** The interval of the checks whether the session is about to expire (requirements §9). */
const CHECK_INTERVAL_MS = 30_000

/**
 * Leaves the page when the user signs out, here or in another tab, and shows a changed name at once, and another language of
 * the account when the tab is returned to. Reloads the page when another user has signed in meanwhile, also when it comes
 * from the back/forward cache: what it showed is not for the next user of the browser. Renews the session when it is about to expire.
 *
 * Every tab broadcasts what it does to the session. What this tab does arrives the same way, because it posts through a channel object
 * of its own, so every event arrives exactly once.
 *
 * @param userId the user the page belongs to
 * @param login returns the log-in page, for users who did not sign out here; it leads back to this page
 */
export function useSessionEvents(userId: string, login: (returnTo: string) => string) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const leave = () => {
      setAppBadge(0)
      // a full load: pages without scripts are prerendered for visitors
      if (isSigningOut()) location.assign(href(paths.home()))
      else loadPage(href(login(currentPath())))
    }
    const hide = () => {
      document.documentElement.hidden = true // at once, because the reload takes a moment
      location.reload()
    }
    const authChannel = new BroadcastChannel(SESSION_CHANNEL)
    authChannel.onmessage = ({ data: { event, session } }: MessageEvent<AuthBroadcast>) => {
      if (session) setDraftOwner(session.user.id)
      if (event === 'SIGNED_OUT') leave()
      else if (session && session.user.id !== userId) hide()
      else if (event === 'USER_UPDATED') void revalidate()
    }
    const signOutChannel = new BroadcastChannel(SIGN_OUT_CHANNEL)
    let signedOut = false
    signOutChannel.onmessage = () => {
      signedOut = true
      discardDrafts()
    }

    // a frozen tab may have missed broadcasts
    const check = () => {
      if (document.hidden || isSigningOut()) return
      if (signedInUserId() !== userId) return hide()
      currentSession().catch(() => {}) // no connection: the next check tries again
    }
    // restored from the back/forward cache: after a sign-out the page is of no use even to the same user
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && (signedOut || signedInUserId() !== userId)) hide()
      else check()
    }
    // the language may have been changed in another tab; only when this one is returned to, since a reload interrupts
    const followLanguage = () => {
      const language = document.hidden ? null : accountLanguage()
      if (language && language !== getLocale()) loadPage(href(currentPath(), language), { replace: true })
    }
    const checkTimer = setInterval(check, CHECK_INTERVAL_MS)
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('visibilitychange', check, { signal })
    addEventListener('online', check, { signal })
    addEventListener('pageshow', onPageShow, { signal })
    for (const type of ['visibilitychange', 'focus', 'pageshow']) addEventListener(type, followLanguage, { signal })
    check()

    return () => {
      clearInterval(checkTimer)
      controller.abort()
      authChannel.close()
      signOutChannel.close()
    }
  }, [revalidate, userId, login])
}
