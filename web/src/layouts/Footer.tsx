import { Mail } from 'lucide-react'
import { siteSetting } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { EmailLink } from '~/ui/EmailLink'
import { Logo } from '~/ui/Logo'
import { SiteLink } from '~/ui/SiteLink'
import { footerGroups, type SiteLinkItem, shareLinks, shareMail, socialLinks } from './site-links.ts'

/** Shows the footer of public pages (requirements §2). */
export function Footer() {
  return (
    <footer className="border-t border-line bg-sunken">
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-10 px-4 py-12 sm:px-6 lg:grid-cols-[1fr_2fr]">
        <div className="grid max-w-sm content-start gap-3">
          <Logo />
          <p className="text-ink-soft">{m.footer_tagline()}</p>
          <EmailLink
            address={siteSetting('SUPPORT_EMAIL')}
            className="inline-flex min-h-11 items-center justify-self-start"
          />
          <ShareLinks />
        </div>
        <div className="grid grid-cols-[minmax(42%,auto)_1fr] content-start gap-x-4 gap-y-8 *:first:row-span-2 sm:grid-cols-3 sm:gap-x-6 sm:*:first:row-span-1 print:hidden">
          {footerGroups.map(({ title, links }) => (
            <nav key={title()} aria-label={title()}>
              <h2 className="pb-1 font-extrabold">{title()}</h2>
              <ul>
                {links.map((link) => (
                  <FooterLink key={(link.audience ?? '') + link.to + link.text()} {...link} />
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <p className="border-t border-line py-6 text-sm text-ink-soft">{m.footer_copyright()}</p>
      </div>
    </footer>
  )
}

/** Both variants are in the page: only a class on <html> distinguishes visitors from users (ui/AuthVisibility.tsx). */
const audienceClass = { visitor: 'signed-in:hidden', user: 'hidden signed-in:list-item' }

function FooterLink({ to, text, audience }: SiteLinkItem) {
  return (
    <li className={audience && audienceClass[audience]}>
      <SiteLink to={to} className="inline-flex min-h-11 items-center text-ink-soft hover:text-ink hover:underline">
        {text()}
      </SiteLink>
    </li>
  )
}

/** Links for sharing the site, and to the company's accounts elsewhere. Links only: nothing is loaded from those sites. */
function ShareLinks() {
  const className = buttonClass('ghost', 'icon', 'text-ink-soft!')
  return (
    <div className="grid gap-1 pt-3 print:hidden">
      <h2 className="text-sm font-bold">{m.share_title()}</h2>
      <ul className="-ml-3 flex flex-wrap">
        {shareLinks().map(({ url, name, glyph: Glyph }) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noopener" aria-label={m.share_on({ place: name })} className={className}>
              <Glyph />
            </a>
          </li>
        ))}
        <li>
          <a href={shareMail()} aria-label={m.share_by_email()} className={className}>
            <Mail aria-hidden="true" className="size-5" />
          </a>
        </li>
      </ul>
      {socialLinks.length > 0 && (
        <ul aria-label={m.footer_social()} className="flex flex-wrap gap-x-4">
          {socialLinks.map(({ url, name }) => (
            <li key={url}>
              <a href={url} rel="me noopener" className="link inline-flex min-h-11 items-center">
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
