import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { paths } from '#contract/paths.ts'
import { currentPath, getLocale, href } from '~/lib/i18n/i18n'
import { loadPage } from '~/lib/page/load-page'
import { setAppBadge } from '~/lib/push/push-subscription'
import { accountLanguage } from '~/lib/session/account-language'
import { isSigningOut } from '~/lib/session/sign-out'
import { watchSession } from '~/lib/session/watch-session'

/**
 * Leaves the page when the user signs out, here or in another tab, and shows a changed name at once, and another language of
 * the account when the tab is returned to. Reloads the page when another user has signed in meanwhile, also when it comes
 * from the back/forward cache: what it showed is not for the next user of the browser.
 *
 * @param userId the user the page belongs to
 * @param login returns the log-in page, for users who did not sign out here; it leads back to this page
 */
export function useSessionEvents(userId: string, login: (returnTo: string) => string) {
  const { revalidate } = useRevalidator()
  useEffect(
    () =>
      watchSession(userId, {
        // a full load: pages without scripts are prerendered for visitors
        onSignedOut: () => {
          setAppBadge(0)
          if (isSigningOut()) location.assign(href(paths.home()))
          else loadPage(href(login(currentPath())))
        },
        onUserUpdated: () => void revalidate(),
        onUserChanged: () => {
          document.documentElement.hidden = true // at once, because the reload takes a moment
          location.reload()
        },
      }),
    [revalidate, userId, login],
  )
  useEffect(() => {
    // the language may have been changed in another tab; only when this one is returned to, since a reload interrupts
    const follow = () => {
      const language = document.hidden ? null : accountLanguage()
      if (language && language !== getLocale()) loadPage(href(currentPath(), language), { replace: true })
    }
    for (const type of ['visibilitychange', 'focus', 'pageshow']) addEventListener(type, follow)
    return () => {
      for (const type of ['visibilitychange', 'focus', 'pageshow']) removeEventListener(type, follow)
    }
  }, [])
}
