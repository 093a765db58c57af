import clsx from 'clsx'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { SiteLink } from './SiteLink.tsx'

/** What the links are called on a page in another language than the app's, and how their paths begin in it. */
export type LegalWords = { terms: string; privacy: string; help: string; prefix: string }

/** Links to terms, privacy and contact on pages without the public footer; one word each, so that they fit on one line. */
export function LegalLinks({ className, words }: { className: string; words?: LegalWords | undefined }) {
  const links = [
    { to: paths.terms(), text: words?.terms ?? m.nav_terms_short() },
    { to: paths.privacy(), text: words?.privacy ?? m.nav_privacy_short() },
    { to: paths.contact(), text: words?.help ?? m.nav_help() },
  ]
  return (
    <ul aria-label={m.nav_legal()} className={clsx('flex flex-wrap text-sm text-ink-soft', className)}>
      {links.map(({ to, text }) => (
        <li key={to}>
          <SiteLink
            to={to}
            {...(words && { href: words.prefix + to })}
            className="inline-flex min-h-11 items-center hover:text-ink hover:underline"
          >
            {text}
          </SiteLink>
        </li>
      ))}
    </ul>
  )
}
