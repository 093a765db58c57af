import { redirect } from 'react-router'
import { paths } from '#contract/paths.ts'
import { href, withoutLocale } from '~/lib/i18n'
import { currentSession } from '~/lib/session.client'

/** For clientLoaders of pages that need a person: the user, or a redirect to /login that comes back here afterwards. */
export async function requireUser(request: Request) {
  const session = await currentSession()
  if (session) return session.user
  const { pathname, search } = new URL(request.url)
  // the request of a loader has no fragment; a link from an e-mail carries the message's id there
  const hash = location.pathname === pathname ? location.hash : ''
  throw redirect(href(paths.login(withoutLocale(pathname) + search + hash)))
}
