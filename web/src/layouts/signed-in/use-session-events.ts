import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { paths } from '#contract/paths.ts'
import { currentPath, href } from '~/lib/i18n/i18n'
import { isSigningOut } from '~/lib/session/sign-out'
import { watchSession } from '~/lib/session/watch-session'

/**
 * Signed out, here or in another tab: away from here. A changed name shows at once. A tab that slept while somebody else
 * signed in starts anew as theirs, and so does a page that the browser kept whole and brings back from the history: what it
 * showed is not for whoever sits here after the sign-out.
 *
 * @param userId whose page this is
 * @param login the page for people who did not leave here themselves; after logging in they are here again
 */
export function useSessionEvents(userId: string, login: (returnTo: string) => string) {
  const { revalidate } = useRevalidator()
  useEffect(
    () =>
      watchSession(userId, {
        // a full load: pages without scripts are written for signed-out people
        onSignedOut: () => location.assign(href(isSigningOut() ? paths.home() : login(currentPath()))),
        onUserUpdated: () => void revalidate(),
        onUserChanged: () => {
          document.documentElement.hidden = true // at once: the reload takes a moment
          location.reload()
        },
      }),
    [revalidate, userId, login],
  )
}
