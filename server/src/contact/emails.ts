import type { ContactForm } from '#contract/contact.ts'
import { contactSubjectName } from '#contract/contact-subjects.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { MailContent, RenderMailWithoutAccount } from '../email/mail-content.ts'
import { defang } from '../email/render-blocks.ts'
import { namedAddress } from '../email/shown-address.ts'
import { findSubmission } from './queries.ts'
import { decryptSubmission } from './submit-contact.ts'

/**
 * Renders the mail kind `contact` (requirements §5, §7); its ref is the submission. A reply to it goes to the visitor.
 * Dropped when the submission is gone.
 */
export const renderContact: RenderMailWithoutAccount = async ({ config, db, keyring }, { refId }) => {
  const row = await findSubmission(db, refId)
  if (!row) return null
  // the team's address and language
  const recipient = { to: config.SUPPORT_EMAIL, locale: 'en' as const }
  return { ...buildContactMail(decryptSubmission(keyring, row), row.locale), ...recipient }
}

const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', 'fr-CA': 'French' }
const ANSWER_HINTS: Record<Locale, string> = { en: '', 'fr-CA': ' – please answer in French' }

/** Writes in English, which the team reads; the topic is added as a French visitor chose it. */
function buildContactMail({ name, email, subject, message }: ContactForm, locale: Locale): MailContent {
  const topic = contactSubjectName(subject, 'en')
  const localizedTopic = { en: topic, 'fr-CA': `${topic} (${contactSubjectName(subject, 'fr-CA')})` }[locale]
  return {
    subject: `Contact form: ${localizedTopic}`,
    preheader: `Written on the ${LANGUAGE_NAMES[locale]} contact page.`,
    heading: localizedTopic,
    blocks: [
      {
        kind: 'list',
        items: [
          `Name: ${defang(name)}`,
          `Email: ${namedAddress(email)}`,
          `Language: ${LANGUAGE_NAMES[locale]}${ANSWER_HINTS[locale]}`,
        ],
      },
      { kind: 'quote', text: message },
      {
        kind: 'note',
        text: 'Your reply goes to the address above. Anyone can type any address: before you share or change anything about an account, make sure the writer owns it.',
      },
    ],
    reason: `This address gets what people write on the ${PRODUCT} contact page.`,
    headers: { 'Reply-To': email },
  }
}
