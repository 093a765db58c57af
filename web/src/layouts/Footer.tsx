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
      <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-3 px-4 pt-6 pb-3 sm:gap-y-10 sm:px-6 sm:py-12 lg:grid-cols-[1fr_2fr]">
        <div className="flex flex-wrap content-start items-center gap-x-4 sm:grid sm:max-w-sm sm:justify-items-start sm:gap-3">
          <Logo />
          <p className="order-1 text-sm text-ink-soft sm:order-none sm:text-base">{m.footer_tagline()}</p>
          <EmailLink
            address={siteSetting('SUPPORT_EMAIL')}
            className="ml-auto inline-flex min-h-11 items-center sm:ml-0"
          />
          <ShareLinks />
        </div>
        <div className="grid content-start gap-x-6 sm:grid-cols-3 print:hidden">
          {footerGroups.map(({ title, links }) => (
            <nav key={title()} aria-label={title()} className="grid grid-cols-[5.5rem_1fr] gap-x-3 sm:block">
              <h2 className="grid min-h-11 items-center self-start text-sm leading-tight font-extrabold sm:block sm:min-h-0 sm:pb-1 sm:text-base">
                {title()}
              </h2>
              <ul className="flex flex-wrap gap-x-4 text-sm sm:block sm:text-base">
                {links.map((link) => (
                  <FooterLink key={(link.audience ?? '') + link.to + link.text()} {...link} />
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <p className="border-t border-line py-4 text-sm sm:py-6 text-ink-soft">{m.footer_copyright()}</p>
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
    <div className="order-2 mt-1.5 flex flex-wrap items-center gap-x-4 sm:order-none sm:mt-0 sm:grid sm:gap-1 sm:pt-3 print:hidden">
      <h2 className="text-sm font-bold">{m.share_title()}</h2>
      <ul className="-ml-3 flex flex-wrap">
        {shareLinks().map(({ url, name, logo }) => (
          <li key={name}>
            <a href={url} target="_blank" rel="noopener" aria-label={m.share_on({ place: name })} className={className}>
              <SiteLogo path={logo} />
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

const SiteLogo = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 fill-current">
    <path fillRule="evenodd" d={path} />
  </svg>
)
