import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { href } from '~/lib/i18n'
import { hasStoredSession } from '~/lib/stored-session'
import { adminLandingPath } from './landing-path.ts'

type Arrival = { state: 'unknown' } | { state: 'known'; signedInAs: string | null }

/**
 * For /admin/login: whoever is signed in as an admin goes straight on. Gives the class of the page's outermost element,
 * which hides it meanwhile, and the address of somebody who is signed in without being one.
 */
export function useAdminArrival(): { hidden: string | undefined; signedInAs: string | null } {
  const navigate = useNavigate()
  const [arrival, setArrival] = useState<Arrival>({ state: 'unknown' })
  useEffect(() => {
    let left = false
    const stay = (signedInAs: string | null) => {
      if (!left) setArrival({ state: 'known', signedInAs })
    }
    const look = async () => {
      const { confirmedUser, isAdmin } = await import('~/lib/require-admin')
      const user = await confirmedUser()
      if (!isAdmin(user)) stay(user?.email ?? null)
      else if (!left) await navigate(href(adminLandingPath()), { replace: true })
    }
    if (hasStoredSession()) look().catch(() => stay(null))
    else stay(null)
    return () => {
      left = true
    }
  }, [navigate])
  return arrival.state === 'known'
    ? { hidden: undefined, signedInAs: arrival.signedInAs }
    : { hidden: 'signed-in:invisible', signedInAs: null }
}
