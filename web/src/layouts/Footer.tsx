import { Mail } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { encodedUrl, siteSetting } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { EmailLink } from '~/ui/EmailLink'
import { Logo } from '~/ui/Logo'
import { SiteLink } from '~/ui/SiteLink'

type SiteLinkItem = {
  to: string
  text: () => string
  /** Who sees it; everybody by default. */
  audience?: 'visitor' | 'user'
}

const about: SiteLinkItem = { to: paths.about(), text: m.nav_about }
const howItWorks: SiteLinkItem = { to: `${paths.home()}#how-it-works`, text: m.nav_how_it_works }
const faqs: SiteLinkItem = { to: `${paths.home()}#faq`, text: m.nav_faqs }
const contact: SiteLinkItem = { to: paths.contact(), text: m.nav_contact }

/** The links of the header, in the order of requirements §2. */
export const headerLinks: SiteLinkItem[] = [about, howItWorks, faqs, contact]

/** The groups of the footer (requirements §2). As in the hero, a visitor who wants to send a message logs in first. */
const footerGroups: { title: () => string; links: SiteLinkItem[] }[] = [
  {
    title: m.footer_platform,
    links: [
      { to: `${paths.home()}#features`, text: m.nav_features },
      howItWorks,
      faqs,
      { to: paths.login(paths.send()), text: m.action_send_a_message, audience: 'visitor' },
      { to: paths.send(), text: m.action_send_a_message, audience: 'user' },
      { to: paths.login(), text: m.action_log_in, audience: 'visitor' },
      { to: paths.signup(), text: m.action_sign_up, audience: 'visitor' },
      { to: paths.dashboard(), text: m.nav_dashboard, audience: 'user' },
    ],
  },
  { title: m.footer_company, links: [about, contact] },
  {
    title: m.footer_legal,
    links: [
      { to: paths.terms(), text: m.nav_terms },
      { to: paths.privacy(), text: m.nav_privacy },
      { to: paths.accessibility(), text: m.nav_accessibility },
    ],
  },
]

/** The logos of other sites, each a path of 24 by 24 units in one colour; the icon set has none of them. */
const FACEBOOK =
  'M9.6 22v-8.4H7V10h2.6V7.6C9.6 4.6 11.4 3 14.1 3c1.2 0 2.3.1 2.9.2v3.1h-2c-1.5 0-1.8.8-1.8 1.8V10h3.6l-.5 3.6h-3.1V22z'
const X = 'M3 3h5.6l4.2 5.9L18 3h2.3l-6.4 7.4L21 21h-5.6l-4.6-6.5L5.2 21H2.9l6.8-7.9zm3.5 1.7 9.8 14.6h1.3L7.8 4.7z'
const LINKEDIN =
  'M5.2 3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM3.4 9.2h3.6V21H3.4zM9.4 9.2h3.5v1.7c.6-1.1 1.9-2 3.7-2 3.3 0 4.4 2 4.4 5.2V21h-3.6v-6.3c0-1.7-.5-2.7-1.9-2.7-1.6 0-2.5 1.1-2.5 2.9V21H9.4z'
const WHATSAPP =
  'M12 2.5a9.5 9.5 0 0 0-8.2 14.2L2.5 21.5l4.9-1.3A9.5 9.5 0 1 0 12 2.5zm0 1.8a7.7 7.7 0 1 1-4.3 14.1l-2.6.7.7-2.5A7.7 7.7 0 0 1 12 4.3zM8.9 7.6c-.3 0-.6.1-.8.3-.5.5-.9 1.2-.9 2 0 2.7 4.2 6.6 7 6.6 1 0 2.1-.6 2.4-1.5.1-.4.2-.8 0-1l-2.3-1.1c-.2-.1-.4 0-.5.1l-.8 1c-.1.2-.4.2-.6.1-1.2-.5-2.3-1.5-2.9-2.7-.1-.2-.1-.4.1-.5l.6-.8c.1-.1.1-.3.1-.5l-.9-2c-.1-.2-.3-.3-.5-.3z'

/** Returns links that share this site on other sites. */
function shareLinks(): { url: string; name: string; logo: string }[] {
  const home = encodedUrl(href(paths.home()))
  const text = encodeURIComponent(m.share_text())
  return [
    { name: 'Facebook', logo: FACEBOOK, url: `https://www.facebook.com/sharer/sharer.php?u=${home}` },
    { name: 'X', logo: X, url: `https://x.com/intent/post?text=${text}&url=${home}` },
    { name: 'LinkedIn', logo: LINKEDIN, url: `https://www.linkedin.com/sharing/share-offsite/?url=${home}` },
    { name: 'WhatsApp', logo: WHATSAPP, url: `https://wa.me/?text=${text}%20${home}` },
  ]
}

/** Returns a link that starts an email about this site, without a recipient. */
const shareMail = (): string =>
  `mailto:?subject=${encodeURIComponent(m.share_subject())}&body=${encodeURIComponent(m.share_text())}%20${encodedUrl(href(paths.home()))}`

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

/** Links for sharing the site. Links only: nothing is loaded from those sites. */
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
    </div>
  )
}

const SiteLogo = ({ path }: { path: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5 fill-current">
    <path fillRule="evenodd" d={path} />
  </svg>
)
