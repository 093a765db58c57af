import clsx from 'clsx'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { SiteLink } from './SiteLink.tsx'

/** Links to terms, privacy and help on pages without the public footer; one word each, so that they fit on one line. */
export function LegalLinks({ className }: { className: string }) {
  const links = [
    { to: paths.terms(), text: m.nav_terms_short() },
    { to: paths.privacy(), text: m.nav_privacy_short() },
    { to: paths.contact(), text: m.nav_help() },
  ]
  return (
    <ul aria-label={m.nav_legal()} className={clsx('flex flex-wrap text-sm text-ink-soft', className)}>
      {links.map(({ to, text }) => (
        <li key={to}>
          <SiteLink to={to} className="inline-flex min-h-11 items-center hover:text-ink hover:underline">
            {text}
          </SiteLink>
        </li>
      ))}
    </ul>
  )
}
