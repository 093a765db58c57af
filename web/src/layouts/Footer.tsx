import { Link } from '~/lib/i18n'
import { SUPPORT_EMAIL } from '~/lib/support'
import { m } from '~/paraglide/messages'
import { Logo } from '~/ui/Logo'
import { footerGroups, socialLinks } from './site-links.ts'

/** The foot of public pages (spec §2). */
export function Footer() {
  return (
    <footer className="border-t border-line bg-sunken">
      <div className="mx-auto flex max-w-6xl flex-wrap justify-between gap-10 px-4 py-12 sm:px-6">
        <div className="grid max-w-xs content-start gap-3">
          <Logo />
          <p className="text-ink-soft">{m.footer_tagline()}</p>
          <a href={`mailto:${SUPPORT_EMAIL}`} className="link inline-flex min-h-11 items-center justify-self-start">
            {SUPPORT_EMAIL}
          </a>
        </div>
        {footerGroups.map(
          ({ title, links }) =>
            links.length > 0 && (
              <nav key={title()} aria-label={title()}>
                <h2 className="pb-1 font-extrabold">{title()}</h2>
                <ul>
                  {links.map(({ to, text }) => (
                    <li key={to}>
                      <Link
                        to={to}
                        className="inline-flex min-h-11 items-center text-ink-soft hover:text-ink hover:underline"
                      >
                        {text()}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            ),
        )}
        {socialLinks.length > 0 && (
          <ul aria-label={m.footer_social()} className="flex gap-4">
            {socialLinks.map(({ url, name }) => (
              <li key={url}>
                <a href={url} rel="me" className="link inline-flex min-h-11 items-center">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className="mx-auto max-w-6xl border-t border-line px-4 py-6 text-sm text-ink-soft sm:px-6">
        {m.footer_copyright()}
      </p>
    </footer>
  )
}
