import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { ButtonLink } from './Button.tsx'
import { Plate } from './Plate.tsx'

/** Renders the page for every unknown path (requirements §2). The server logs the path. */
export function NotFoundPage() {
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-6 px-4 py-20 text-center sm:py-28">
      <div aria-hidden="true" className="-rotate-3">
        <Plate plate="404" size="lg" />
      </div>
      <h1 className="pt-4 text-3xl font-extrabold sm:text-4xl">{m.not_found_title()}</h1>
      <p className="text-lg text-balance text-ink-soft">{m.not_found_text()}</p>
      <ButtonLink to={paths.home()} variant="primary" size="lg">
        {m.not_found_home()}
      </ButtonLink>
    </div>
  )
}
