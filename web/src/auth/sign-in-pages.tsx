import clsx from 'clsx'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { PrefetchPageLinks, useLocation, useNavigate } from 'react-router'
import { href, stripLocale } from '~/lib/i18n/i18n'
import { useHydrated } from '~/lib/page/browser-state'
import { CHANGED_ELSEWHERE, currentSession } from '~/lib/session/session'
import { isSignedIn } from '~/lib/session/tab-session'
import type { User } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { isSendPage, redirectTarget, wantedPage } from './safe-redirect.ts'

/* What several pages of signing in and up share. */

/** Returns the page that is wanted afterwards, for links from one page of signing in to another. The prerendered page knows none. */
export function useWantedPage(): string | undefined {
  const { search } = useLocation()
  return useHydrated() ? (wantedPage(search) ?? undefined) : undefined
}

/** Says why somebody who wants to send a message is asked to log in. Until the page is hydrated, the inline head script decides. */
export function SendSentence() {
  const hydrated = useHydrated()
  const isWanted = isSendPage(useWantedPage())
  return !hydrated || isWanted ? (
    <p className={clsx('pb-1 font-bold text-ink', !hydrated && 'hidden to-send:block')}>{m.login_to_send()}</p>
  ) : null
}

/** Says what follows from a browser that stores nothing; the inline head script knows whether it does, before the first paint. */
export const StoresNothingSentence = () => (
  <p className="hidden pt-1 font-bold text-ink stores-nothing:block">{m.login_stores_nothing()}</p>
)

type PreloadProps = {
  /** The address that what is typed leads to. */
  page: string
  children: ReactNode
}

/** Loads the auth client and the code of the next page while somebody types: a slow phone has them when the button is pressed. */
export function PreloadWhileTyping({ page, children }: PreloadProps) {
  const [isTyping, setTyping] = useState(false)
  const begin = () => {
    if (isTyping) return
    setTyping(true)
    import('~/lib/session/session.client').catch(() => {}) // whoever needs it says so
  }
  return (
    <div className="contents" onInput={begin}>
      {isTyping && <PrefetchPageLinks page={page} />}
      {children}
    </div>
  )
}

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
      if (isSignedIn()) redirect().catch(stay)
      else stay()
    }
    redirectOrStay()
    addEventListener(CHANGED_ELSEWHERE, redirectOrStay)
    return () => {
      cancelled = true
      removeEventListener(CHANGED_ELSEWHERE, redirectOrStay)
    }
  }, [navigate])
  return checked ? undefined : 'signed-in:invisible'
}
