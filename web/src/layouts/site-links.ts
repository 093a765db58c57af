import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { encodedUrl } from '~/lib/page/site'
import { m } from '~/paraglide/messages'

export type SiteLinkItem = {
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
export const footerGroups: { title: () => string; links: SiteLinkItem[] }[] = [
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

/** The company's own accounts elsewhere, by full URL; there are none yet (docs/decisions/required-texts.md). */
export const socialLinks: { url: string; name: string }[] = []

/** The logos of other sites, each a path of 24 by 24 units in one colour; the icon set has none of them. */
const FACEBOOK =
  'M9.6 22v-8.4H7V10h2.6V7.6C9.6 4.6 11.4 3 14.1 3c1.2 0 2.3.1 2.9.2v3.1h-2c-1.5 0-1.8.8-1.8 1.8V10h3.6l-.5 3.6h-3.1V22z'
const X = 'M3 3h5.6l4.2 5.9L18 3h2.3l-6.4 7.4L21 21h-5.6l-4.6-6.5L5.2 21H2.9l6.8-7.9zm3.5 1.7 9.8 14.6h1.3L7.8 4.7z'
const LINKEDIN =
  'M5.2 3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM3.4 9.2h3.6V21H3.4zM9.4 9.2h3.5v1.7c.6-1.1 1.9-2 3.7-2 3.3 0 4.4 2 4.4 5.2V21h-3.6v-6.3c0-1.7-.5-2.7-1.9-2.7-1.6 0-2.5 1.1-2.5 2.9V21H9.4z'
const WHATSAPP =
  'M12 2.5a9.5 9.5 0 0 0-8.2 14.2L2.5 21.5l4.9-1.3A9.5 9.5 0 1 0 12 2.5zm0 1.8a7.7 7.7 0 1 1-4.3 14.1l-2.6.7.7-2.5A7.7 7.7 0 0 1 12 4.3zM8.9 7.6c-.3 0-.6.1-.8.3-.5.5-.9 1.2-.9 2 0 2.7 4.2 6.6 7 6.6 1 0 2.1-.6 2.4-1.5.1-.4.2-.8 0-1l-2.3-1.1c-.2-.1-.4 0-.5.1l-.8 1c-.1.2-.4.2-.6.1-1.2-.5-2.3-1.5-2.9-2.7-.1-.2-.1-.4.1-.5l.6-.8c.1-.1.1-.3.1-.5l-.9-2c-.1-.2-.3-.3-.5-.3z'

/** Returns links that share this site on other sites. */
export function shareLinks(): { url: string; name: string; logo: string }[] {
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
export const shareMail = (): string =>
  `mailto:?subject=${encodeURIComponent(m.share_subject())}&body=${encodeURIComponent(m.share_text())}%20${encodedUrl(href(paths.home()))}`
