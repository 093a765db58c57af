import { Fragment, type ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { siteSetting } from '~/lib/page/site'
import { EmailLink } from '~/ui/EmailLink'
import type { LinkTarget, Value } from './content/shape.ts'

const MARKUP = /\*\*(?<strong>[^*]+)\*\*|\{(?<target>\w+)\|(?<label>[^}]+)\}|\{(?<value>\w+)\}/g

/** Renders a text of `content/` with its placeholders filled in (`content/shape.ts`). */
export function RichText({ children: text }: { children: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(MARKUP)) {
    const { strong, target, label, value } = found.groups ?? {}
    parts.push(
      withNonBreakingSpaces(text.slice(end, found.index)),
      strong && <strong key={found.index}>{withNonBreakingSpaces(strong)}</strong>,
      target && <Fragment key={found.index}>{LINK_RENDERERS[target as LinkTarget](label ?? '')}</Fragment>,
      value && <Fragment key={found.index}>{VALUE_NODES[value as Value]()}</Fragment>,
    )
    end = found.index + found[0].length
  }
  return [...parts, withNonBreakingSpaces(text.slice(end))]
}

/** Puts no-break spaces inside guillemets, before French colons and 911, and between a number and what it counts. */
export const withNonBreakingSpaces = (text: string) =>
  text.replace(/ (?=[:»]|911\b)|(?<=«) |(?<=\d) (?=\p{L})/gu, '\u00a0')

const VALUE_NODES: Record<Value, () => ReactNode> = {
  company: () => siteSetting('MAIL_SENDER_NAME'),
  support: () => <EmailLink address={siteSetting('SUPPORT_EMAIL')} />,
  privacyEmail: () => <EmailLink address={siteSetting('PRIVACY_EMAIL')} />,
}

const internalLink = (path: string) => (label: string) => (
  <Link to={path} className="link">
    {label}
  </Link>
)

const externalLink = (address: () => string) => (label: string) => (
  <a href={address()} rel="noopener" className="link">
    {label}
  </a>
)

const LINK_RENDERERS: Record<LinkTarget, (label: string) => ReactNode> = {
  terms: internalLink(paths.terms()),
  privacy: internalLink(paths.privacy()),
  contact: internalLink(paths.contact()),
  notificationChoices: internalLink(paths.profile('notifications')),
  ownData: internalLink(paths.profile('data')),
  opc: externalLink(() => (getLocale() === 'en' ? 'https://www.priv.gc.ca/en/' : 'https://www.priv.gc.ca/fr/')),
  cai: externalLink(() => 'https://www.cai.gouv.qc.ca/'),
}
