import { Fragment, type ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { getLocale, Link } from '~/lib/i18n/i18n'
import { siteSetting } from '~/lib/page/site'
import { EmailLink } from '~/ui/EmailLink'
import type { Block, LinkTarget, Value } from './legal-text.ts'

/** Renders one block of a section: a paragraph, a list, a heading, or the person in charge. */
export function BlockContent({ block }: { block: Block }) {
  if (typeof block === 'string')
    return (
      <p>
        <RichText>{block}</RichText>
      </p>
    )
  if ('personInCharge' in block) return <PersonInCharge office={block.personInCharge} />
  if ('heading' in block)
    return (
      <h3 id={block.id} className="scroll-mt-28 pt-4 text-xl font-extrabold target:text-pine">
        {withNonBreakingSpaces(block.heading)}
      </h3>
    )
  return <BulletList points={block} />
}

/** Renders a list of rich texts. */
export function BulletList({ points }: { points: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-2.5 pl-5 marker:text-pine">
      {points.map((point) => (
        <li key={point} className="pl-1 break-inside-avoid">
          <RichText>{point}</RichText>
        </li>
      ))}
    </ul>
  )
}

/**
 * Says who is in charge of personal information and how to reach them (Quebec requires both to be published). Name and
 * postal address may be empty, which only the server knows: an empty line is hidden.
 */
function PersonInCharge({ office }: { office: string }) {
  return (
    <address className="grid justify-items-start gap-1 rounded-xl border-l-4 border-pine bg-pine-soft px-5 py-4 not-italic">
      <span className="font-bold">{office}</span>
      <span translate="no" className="empty:hidden">
        {siteSetting('PRIVACY_OFFICER')}
      </span>
      <span translate="no">{siteSetting('MAIL_SENDER_NAME')}</span>
      <span translate="no" className="whitespace-pre-line empty:hidden">
        {siteSetting('MAIL_POSTAL_ADDRESS')}
      </span>
      <EmailLink address={siteSetting('PRIVACY_EMAIL')} className="inline-flex min-h-11 items-center" />
    </address>
  )
}

const MARKUP = /\*\*(?<strong>[^*]+)\*\*|\{(?<target>\w+)\|(?<label>[^}]+)\}|\{(?<value>\w+)\}/g

/** Renders a text of `locales/legal` with its placeholders filled in (`legal-text.ts`). */
function RichText({ children: text }: { children: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(MARKUP)) {
    const { strong, target, label, value } = found.groups ?? {}
    parts.push(
      <Fragment key={`before ${found.index}`}>{withNonBreakingSpaces(text.slice(end, found.index))}</Fragment>,
      strong && <strong key={found.index}>{withNonBreakingSpaces(strong)}</strong>,
      target && <Fragment key={found.index}>{LINK_RENDERERS[target as LinkTarget](label ?? '')}</Fragment>,
      value && <Fragment key={found.index}>{VALUE_NODES[value as Value]()}</Fragment>,
    )
    end = found.index + found[0].length
  }
  return (
    <>
      {parts}
      {withNonBreakingSpaces(text.slice(end))}
    </>
  )
}

/** Puts no-break spaces inside guillemets, before French colons and 911, and between a number and what it counts. */
export const withNonBreakingSpaces = (text: string) =>
  text.replace(/ (?=[:»]|911\b)|(?<=«) |(?<=\d) (?=\p{L})/gu, '\u00a0')

const VALUE_NODES: Record<Value, () => ReactNode> = {
  company: () => <span translate="no">{siteSetting('MAIL_SENDER_NAME')}</span>,
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
  profile: internalLink(paths.profile()),
  opc: externalLink(() => (getLocale() === 'en' ? 'https://www.priv.gc.ca/en/' : 'https://www.priv.gc.ca/fr/')),
  cai: externalLink(() => 'https://www.cai.gouv.qc.ca/'),
}
