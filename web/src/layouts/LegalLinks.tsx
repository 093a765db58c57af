import clsx from 'clsx'
import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'
import { SiteLink } from './SiteLink.tsx'

type Props = {
  /** One word each, for a narrow column. */
  short?: boolean
  className?: string
}

/** The way to terms, privacy and help from pages without the public footer. */
export function LegalLinks({ short = false, className }: Props) {
  const links = [
    { to: paths.terms(), text: short ? m.nav_terms_short() : m.nav_terms() },
    { to: paths.privacy(), text: short ? m.nav_privacy_short() : m.nav_privacy() },
    { to: paths.contact(), text: short ? m.nav_help() : m.nav_contact() },
  ]
  return (
    <ul
      aria-label={m.nav_legal()}
      className={clsx('flex flex-wrap text-sm text-ink-soft', short ? 'gap-x-3' : 'gap-x-4', className)}
    >
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
