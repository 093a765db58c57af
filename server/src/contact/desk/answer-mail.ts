import { contactSubjectName } from '#contract/contact-subjects.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { MailContent, RenderMailWithoutAccount } from '../../email/mail-content.ts'
import { formatMailTime } from '../../email/mail-time.ts'
import { decryptText } from '../../encryption/envelope-encryption.ts'
import { findSubmission } from '../queries.ts'
import { decryptSubmission } from '../submission-encryption.ts'
import { answerAssociatedData } from './answer-encryption.ts'
import { findAnswer } from './queries.ts'

type Answer = {
  topic: string
  text: string
  /** What the person wrote; null when the mail server refused it. */
  quoted: string | null
  /** When they wrote it. */
  writtenAt: string
}

/**
 * Renders the mail kind `contact_answer` (decision 0087); its ref is the answer. A reply to it reaches the support address.
 * Dropped when the submission is gone.
 */
export const renderContactAnswer: RenderMailWithoutAccount = async ({ config, db, keyring }, { refId, withText }) => {
  const answer = await findAnswer(db, refId)
  const row = answer && (await findSubmission(db, answer.submission_id))
  if (!answer || !row) return null
  const { email, subject, message } = decryptSubmission(keyring, row)
  const content = ANSWER_MAILS[row.locale]({
    topic: contactSubjectName(subject, row.locale),
    text: decryptText(keyring, answerAssociatedData(refId), answer.text_encrypted),
    quoted: withText ? message : null,
    writtenAt: formatMailTime(answer.written_at, row.locale),
  })
  return { ...content, headers: { 'Reply-To': config.SUPPORT_EMAIL }, to: email, locale: row.locale }
}

const ANSWER_MAILS: Record<Locale, (answer: Answer) => MailContent> = {
  en: ({ topic, text, quoted, writtenAt }) => ({
    subject: `Re: ${topic}`,
    preheader: `The ${PRODUCT} team has answered you.`,
    heading: `Our answer: ${topic}`,
    blocks: [
      { kind: 'text', text },
      { kind: 'text', text: 'You can reply to this email.' },
      { kind: 'note', text: `What you wrote on ${writtenAt}:` },
      quoted === null ? { kind: 'note', text: '(left out)' } : { kind: 'quote', text: quoted },
    ],
    reason: `You’re receiving this email because someone gave this address on the ${PRODUCT} contact page. If it wasn’t you, please tell us.`,
  }),
  'fr-CA': ({ topic, text, quoted, writtenAt }) => ({
    subject: `Re : ${topic}`,
    preheader: `L’équipe de ${PRODUCT} vous a répondu.`,
    heading: `Notre réponse : ${topic}`,
    blocks: [
      { kind: 'text', text },
      { kind: 'text', text: 'Vous pouvez répondre à ce courriel.' },
      { kind: 'note', text: `Ce que vous avez écrit le ${writtenAt} :` },
      quoted === null ? { kind: 'note', text: '(omis)' } : { kind: 'quote', text: quoted },
    ],
    reason: `Vous recevez ce courriel parce que quelqu’un a donné cette adresse dans la page Nous joindre de ${PRODUCT}. Si ce n’était pas vous, dites-le-nous.`,
  }),
}
