import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { paths } from '#contract/paths.ts'
import { here, href } from '~/lib/i18n'
import { auth, isLeaving } from '~/lib/session.client'
import { storedUserId } from '~/lib/stored-session'

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
  useEffect(() => {
    const { data } = auth.onAuthStateChange((event, session) => {
      // a full load: pages without scripts are written for signed-out people
      if (event === 'SIGNED_OUT') location.assign(href(isLeaving() ? paths.home() : login(here())))
      if (event === 'SIGNED_IN' && session && session.user.id !== userId) location.reload()
      if (event === 'USER_UPDATED') void revalidate()
    })
    const returned = ({ persisted }: PageTransitionEvent) => {
      if (!persisted || storedUserId() === userId) return
      document.documentElement.hidden = true // at once: the reload takes a moment
      location.reload()
    }
    addEventListener('pageshow', returned)
    return () => {
      data.subscription.unsubscribe()
      removeEventListener('pageshow', returned)
    }
  }, [revalidate, userId, login])
}
