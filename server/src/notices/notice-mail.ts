import { localizedPath } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { Config } from '../config.ts'
import type { MailContent, RenderMail } from '../email/mail-content.ts'
import type { NoticeText } from './parse-notice.ts'
import { findNoticeTexts } from './queries.ts'

const REASONS: Record<Locale, string> = {
  en: `You’re receiving this email because you have a ${PRODUCT} account. It’s about the service itself, so it comes to everyone.`,
  'fr-CA': `Vous recevez ce courriel parce que vous avez un compte ${PRODUCT}. Il porte sur le service lui-même et est envoyé à tout le monde.`,
}

/** Writes a notice as an email in one language. */
export const buildNoticeMail = (
  { subject, blocks }: NoticeText,
  locale: Locale,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): MailContent => ({
  subject,
  preheader: blocks.find((block) => block.kind === 'text')?.text ?? subject,
  heading: subject,
  blocks: blocks.map((block) =>
    block.kind === 'button'
      ? { kind: 'button', label: block.label, url: PUBLIC_URL + localizedPath(block.path, locale) }
      : block,
  ),
  reason: REASONS[locale],
})

/** Renders the mail kind `notice`; its ref is the notice. */
export const renderNotice: RenderMail = async ({ db, config }, { refId, locale }) => {
  const texts = await findNoticeTexts(db, refId)
  return texts ? buildNoticeMail(texts[locale], locale, config) : null
}
