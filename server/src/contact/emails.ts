import type { ContactForm } from '#contract/contact.ts'
import { contactSubjectName } from '#contract/contact-subjects.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import { type MailContent, type RenderMailWithoutAccount, writeMail } from '../email/mail-content.ts'
import { defang } from '../email/render-blocks.ts'
import { namedAddress } from '../email/shown-address.ts'
import { findSubmission } from './queries.ts'
import { decryptSubmission } from './submit-contact.ts'

/** The language of the support team. */
const TEAM_LOCALE = 'en'

/**
 * Renders the mail kind `contact` (requirements §5, §7); its ref is the submission. A reply to it goes to the visitor.
 * Dropped when the submission is gone.
 */
export const renderContact: RenderMailWithoutAccount = async ({ config, db, keyring }, { refId }) => {
  const row = await findSubmission(db, refId)
  if (!row) return null
  return {
    ...contactMail(decryptSubmission(keyring, row), row.locale),
    to: config.SUPPORT_EMAIL,
    locale: TEAM_LOCALE,
  }
}

/** Writes in the team's language; the topic is added as a French visitor chose it. */
function contactMail({ name, email, subject, message }: ContactForm, visitorLocale: Locale): MailContent {
  const isFrench = visitorLocale === 'fr-CA'
  const topic = contactSubjectName(subject, TEAM_LOCALE)
  const shownTopic = isFrench ? `${topic} (${contactSubjectName(subject, visitorLocale)})` : topic
  return writeMail(
    { topic: shownTopic, name: defang(name), address: namedAddress(email) },
    {
      subject: m.mail_contact_subject,
      preheader: isFrench ? m.mail_contact_preheader_french : m.mail_contact_preheader_english,
      heading: shownTopic,
      blocks: [
        {
          list: [
            m.mail_contact_name,
            m.mail_contact_address,
            isFrench ? m.mail_contact_language_french : m.mail_contact_language_english,
          ],
        },
        { quote: message },
        { note: m.mail_contact_note },
      ],
      reason: m.mail_contact_reason,
      replyTo: email,
    },
  )
}
