import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { currentSession } from '~/lib/session/session'
import { hasStoredSession, SESSION_KEY } from '~/lib/session/stored-session'
import type { User } from '~/lib/session/user'
import { redirectTarget } from './safe-redirect.ts'

/**
 * Redirects users who are signed in, or sign in meanwhile in another tab, away from a page for signed-out users. Returns the
 * class that hides the page's outermost element until that is known. The inline head script marks <html> before the
 * first paint, so nothing flashes.
 *
 * @param concerns who is redirected
 */
export function useRedirectIfAuthenticated(concerns: (user: User) => boolean = () => true): string | undefined {
  const navigate = useNavigate()
  const isConcerned = useEffectEvent(concerns)
  const [checked, setChecked] = useState(false)
  useEffect(() => {
    let cancelled = false
    const stay = () => !cancelled && setChecked(true)
    const redirect = async () => {
      const session = await currentSession()
      if (!session || !isConcerned(session.user)) return stay()
      if (!cancelled) await navigate(href(stripLocale(redirectTarget())), { replace: true })
    }
    const redirectOrStay = () => {
      if (hasStoredSession()) redirect().catch(stay)
      else stay()
    }
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SESSION_KEY) redirectOrStay()
    }
    redirectOrStay()
    addEventListener('storage', onStorage)
    return () => {
      cancelled = true
      removeEventListener('storage', onStorage)
    }
  }, [navigate])
  return checked ? undefined : 'signed-in:invisible'
}
