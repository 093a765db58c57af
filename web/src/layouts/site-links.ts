import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { encodedUrl } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { FacebookIcon, LinkedInIcon, type ShareIcon, WhatsAppIcon, XIcon } from './share-icons.tsx'

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

/** Returns links that share this site on other sites. */
export function shareLinks(): { url: string; name: string; glyph: ShareIcon }[] {
  const home = encodedUrl(href(paths.home()))
  const text = encodeURIComponent(m.share_text())
  return [
    { name: 'Facebook', glyph: FacebookIcon, url: `https://www.facebook.com/sharer/sharer.php?u=${home}` },
    { name: 'X', glyph: XIcon, url: `https://x.com/intent/post?text=${text}&url=${home}` },
    { name: 'LinkedIn', glyph: LinkedInIcon, url: `https://www.linkedin.com/sharing/share-offsite/?url=${home}` },
    { name: 'WhatsApp', glyph: WhatsAppIcon, url: `https://wa.me/?text=${text}%20${home}` },
  ]
}

/** Returns a link that starts an email about this site, without a recipient. */
export const shareMail = (): string =>
  `mailto:?subject=${encodeURIComponent(m.share_subject())}&body=${encodeURIComponent(m.share_text())}%20${encodedUrl(href(paths.home()))}`
