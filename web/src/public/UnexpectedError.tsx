import { useEffect } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { paths } from '#contract/paths.ts'
import { currentPath, href } from '~/lib/i18n/i18n'
import { loadPage } from '~/lib/page/load-page'
import { storesNothing } from '~/lib/page/storage'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { Logo } from '~/ui/Logo'
import { NotFoundPage } from '~/ui/NotFoundPage'

/** Shows the screen of last resort (requirements §8), for whatever a page threw. */
export function UnexpectedError({ error }: { error: unknown }) {
  const missing = isRouteErrorResponse(error) && error.status === 404
  useEffect(() => {
    if (!missing) console.error(error)
  }, [error, missing])
  if (missing) return <NotFoundPage />
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center justify-items-center gap-5 px-4 py-16 text-center">
      <title>{m.unexpected_title()}</title>
      <Logo />
      <h1 className="pt-6 text-3xl font-extrabold">{m.unexpected_title()}</h1>
      <p className="text-lg text-ink-soft">{m.unexpected_text()}</p>
      <div className="flex flex-wrap justify-center gap-3 pt-2">
        <Button variant="primary" size="lg" onClick={reload}>
          {m.unexpected_reload()}
        </Button>
        {/* a full load: the router itself may be what failed */}
        <a href={href(paths.home())} className={buttonClass('secondary', 'lg')}>
          {m.not_found_home()}
        </a>
      </div>
    </main>
  )
}

/** Reloads the page; where nothing is stored the router tries again, since a reload would sign out. */
const reload = () => (storesNothing ? loadPage(href(currentPath()), { replace: true }) : location.reload())
