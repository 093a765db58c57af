import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { href, withoutLocale } from '~/lib/i18n'
import { hasStoredSession } from '~/lib/stored-session'
import { landingPath } from './landing-path.ts'

/**
 * For pages of signed-out people: whoever is signed in goes on to where they were going. Returns the class of the page's
 * outermost element, which hides it meanwhile; boot.js has marked <html> before the first paint, so nothing flashes.
 */
export function useLeaveWhenSignedIn(): string | undefined {
  const navigate = useNavigate()
  const [known, setKnown] = useState(false)
  useEffect(() => {
    let left = false
    const stay = () => !left && setKnown(true)
    const leave = async () => {
      const { currentSession } = await import('~/lib/session.client')
      if (!(await currentSession())) return stay()
      if (!left) await navigate(href(withoutLocale(landingPath())), { replace: true })
    }
    if (hasStoredSession()) leave().catch(stay)
    else stay()
    return () => {
      left = true
    }
  }, [navigate])
  return known ? undefined : 'signed-in:invisible'
}
