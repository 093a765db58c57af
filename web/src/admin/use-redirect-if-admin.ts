import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { shownEmail } from '#contract/auth.ts'
import { href } from '~/lib/i18n/i18n'
import { hasStoredSession } from '~/lib/session/stored-session'
import { adminRedirectTarget } from './redirect-target.ts'

type AdminCheck = { state: 'unknown' } | { state: 'known'; signedInAs: string | null }

/**
 * Sends admins who are signed in on from /admin/login. Returns the class that hides the page's outermost element until
 * that is known, and the email address of somebody who is signed in without being an admin.
 */
export function useRedirectIfAdmin(): { hiddenClass: string | undefined; signedInAs: string | null } {
  const navigate = useNavigate()
  const [check, setCheck] = useState<AdminCheck>({ state: 'unknown' })
  useEffect(() => {
    let cancelled = false
    const stay = (signedInAs: string | null) => {
      if (!cancelled) setCheck({ state: 'known', signedInAs })
    }
    const checkAdmin = async () => {
      const { fetchCurrentUser, isAdmin } = await import('./frame/require-admin.ts')
      const user = await fetchCurrentUser()
      if (!isAdmin(user)) stay(user && shownEmail(user))
      else if (!cancelled) await navigate(href(adminRedirectTarget()), { replace: true })
    }
    if (hasStoredSession()) checkAdmin().catch(() => stay(null))
    else stay(null)
    return () => {
      cancelled = true
    }
  }, [navigate])
  return check.state === 'known'
    ? { hiddenClass: undefined, signedInAs: check.signedInAs }
    : { hiddenClass: 'signed-in:invisible', signedInAs: null }
}
