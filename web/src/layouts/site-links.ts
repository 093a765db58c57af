import { paths } from '#contract/paths.ts'
import { m } from '~/paraglide/messages'

type SiteLink = { to: string; text: () => string }

/** The links of the header. A page that does not exist yet is not listed: no dead links. */
export const headerLinks: SiteLink[] = [
  { to: `${paths.home()}#how-it-works`, text: m.nav_how_it_works },
  { to: `${paths.home()}#faq`, text: m.nav_faqs },
]

/** The groups of the footer; a group without links is not shown. */
export const footerGroups: { title: () => string; links: SiteLink[] }[] = [
  {
    title: m.footer_platform,
    links: [
      { to: `${paths.home()}#features`, text: m.nav_features },
      ...headerLinks,
      { to: paths.send(), text: m.action_send_a_message },
    ],
  },
  { title: m.footer_company, links: [] },
  { title: m.footer_legal, links: [] },
]

/** Accounts of PlateNote elsewhere, by full address; none exists yet. */
export const socialLinks: { url: string; name: string }[] = []
