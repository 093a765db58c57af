import { Fragment, type ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { getLocale, Link } from '~/lib/i18n'
import { site } from '~/lib/site'
import { MailLink } from '~/ui/MailLink'
import type { LinkTarget, Value } from './content/shape.ts'

const MARKED = /\*\*(?<strong>[^*]+)\*\*|\{(?<target>\w+)\|(?<label>[^}]+)\}|\{(?<value>\w+)\}/g

/** A text of `content/` with its placeholders filled in (`content/shape.ts`). */
export function RichText({ children: text }: { children: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(MARKED)) {
    const { strong, target, label, value } = found.groups ?? {}
    parts.push(
      spaced(text.slice(end, found.index)),
      strong && <strong key={found.index}>{spaced(strong)}</strong>,
      target && <Fragment key={found.index}>{LEADS[target as LinkTarget](label ?? '')}</Fragment>,
      value && <Fragment key={found.index}>{VALUE[value as Value]()}</Fragment>,
    )
    end = found.index + found[0].length
  }
  return [...parts, spaced(text.slice(end))]
}

/** French holds its colons and guillemets to the words beside them, both languages a number to what it counts, and 911. */
export const spaced = (text: string) => text.replace(/ (?=[:»]|911\b)|(?<=«) |(?<=\d) (?=\p{L})/gu, '\u00a0')

const VALUE: Record<Value, () => ReactNode> = {
  company: () => site('MAIL_SENDER_NAME'),
  support: () => <MailLink address={site('SUPPORT_EMAIL')} />,
  privacyEmail: () => <MailLink address={site('PRIVACY_EMAIL')} />,
}

const own = (path: string) => (label: string) => (
  <Link to={path} className="link">
    {label}
  </Link>
)

const elsewhere = (address: () => string) => (label: string) => (
  <a href={address()} rel="noopener" className="link">
    {label}
  </a>
)

const LEADS: Record<LinkTarget, (label: string) => ReactNode> = {
  terms: own(paths.terms()),
  privacy: own(paths.privacy()),
  contact: own(paths.contact()),
  profile: own(paths.profile()),
  opc: elsewhere(() => (getLocale() === 'en' ? 'https://www.priv.gc.ca/en/' : 'https://www.priv.gc.ca/fr/')),
  cai: elsewhere(() => 'https://www.cai.gouv.qc.ca/'),
}
