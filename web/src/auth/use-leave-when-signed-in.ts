import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { href, withoutLocale } from '~/lib/i18n'
import { currentSession } from '~/lib/session'
import { hasStoredSession, SESSION_KEY } from '~/lib/stored-session'
import { landingPath } from './landing-path.ts'

/**
 * For pages of signed-out people: whoever is signed in, or signs in meanwhile in another tab, goes on to where they were
 * going. Returns the class of the page's outermost element, which hides it until that is known; boot.js has marked <html>
 * before the first paint, so nothing flashes.
 */
export function useLeaveWhenSignedIn(): string | undefined {
  const navigate = useNavigate()
  const [known, setKnown] = useState(false)
  useEffect(() => {
    let left = false
    const stay = () => !left && setKnown(true)
    const leave = async () => {
      if (!(await currentSession())) return stay()
      if (!left) await navigate(href(withoutLocale(landingPath())), { replace: true })
    }
    const leaveOrStay = () => {
      if (hasStoredSession()) leave().catch(stay)
      else stay()
    }
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SESSION_KEY) leaveOrStay()
    }
    leaveOrStay()
    addEventListener('storage', onStorage)
    return () => {
      left = true
      removeEventListener('storage', onStorage)
    }
  }, [navigate])
  return known ? undefined : 'signed-in:invisible'
}
