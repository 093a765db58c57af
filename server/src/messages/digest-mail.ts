import type { Answer, MessageReason } from '#contract/messages.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import { type MailContent, type MailMessage, writeMail } from '../email/mail-content.ts'
import { renderMessageHtml } from '../email/render-blocks.ts'

/** What an email says of a message. */
export type MessageMailData = {
  plate: string
  reason: MessageReason | null
  /** The reason as its reader sees it; null: it has no name. */
  name: string | null
  /** Null when the recipient does not want texts in emails. */
  text: string | null
  /** Say what else the message has: none of it is in an email. */
  additions: string[]
  /** Answers with a link of their own, and where each is sent; none where nobody may read and answer without a session. */
  answers: { answer: Answer; to: string }[]
  /** Where the message is read. */
  to: string
}

/** Limits the messages a digest shows. */
export const MAX_DIGEST_MESSAGES = 20
/** Limits their size together, so that the email stays below the one at which Gmail clips it (102 kB). Any single one is smaller. */
const MAX_MESSAGES_BYTES = 90_000

type DigestData = {
  /** The newest messages, newest first; at most MAX_DIGEST_MESSAGES. */
  messages: MessageMailData[]
  /** How many messages there are in all. */
  count: number
  /** Null when the messages are about several plates. */
  plate: string | null
  to: string
}

/** Returns the messages that fit into an email, each whole, from the first on. */
function takeFitting(messages: MailMessage[], locale: Locale): MailMessage[] {
  let bytes = 0
  const firstTooMany = messages.findIndex((message) => {
    bytes += Buffer.byteLength(
      renderMessageHtml(message, { read: () => m.mail_message_button({}, { locale }), addressOf: String }),
    )
    return bytes > MAX_MESSAGES_BYTES
  })
  return firstTooMany === -1 ? messages : messages.slice(0, firstTooMany)
}

/** Writes one email about several new messages, newest first, each with its plate, reason and text; those that do not fit are counted. */
export function digestMail({ messages, count, plate, to }: DigestData, locale: Locale): MailContent {
  const shown = takeFitting(
    messages.map((message) => ({
      plate: plate === null ? message.plate : null,
      title: message.name ?? m.mail_digest_message({}, { locale }),
      text: message.text,
      note: message.additions.length === 0 ? null : message.additions.join('\n'),
      button: message.answers.length > 0 ? { button: m.mail_message_button, to: message.to } : null,
    })),
    locale,
  )
  const isDanger = messages.some(({ reason }) => reason === 'someone_inside')
  const subject = plate === null ? m.mail_digest_subject_plates : m.mail_digest_subject
  const isLinked = shown.some(({ button }) => button !== null)
  const rest = count - shown.length
  return writeMail(
    { count, plate: plate ?? '', rest },
    {
      subject: isDanger ? [m.mail_message_urgent, subject] : subject,
      preheader: m.mail_digest_preheader,
      heading: m.mail_digest_heading,
      blocks: [
        plate !== null && { plate },
        isDanger && m.message_danger,
        m.mail_digest_order,
        ...shown.map((message) => ({ message })),
        rest > 0 && m.mail_digest_more,
        isLinked && { note: m.mail_message_links },
        { button: isLinked ? m.mail_digest_button : m.mail_message_button, to },
        { note: m.mail_digest_anonymous },
      ],
      reason: plate === null ? m.mail_digest_reason_plates : m.mail_message_reason,
    },
  )
}
