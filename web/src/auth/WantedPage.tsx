import clsx from 'clsx'
import { useLocation } from 'react-router'
import { useHydrated } from '~/lib/page/browser-state'
import { m } from '~/paraglide/messages'
import { isSendPage, wantedPage } from './safe-redirect.ts'

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
