import { normalizeEmail } from '#contract/addresses.ts'
import type { Locale } from '#contract/product.ts'
import type { ServiceMail } from '#contract/service-mails.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { renderMail } from '../email/layout.ts'
import type { MailContent } from '../email/mail-content.ts'
import type { Transport } from '../email/transport.ts'
import { messageMail, replyMail } from '../messages/emails.ts'
import { buildUnsubscribeUrl } from '../preferences/unsubscribe-token.ts'
import { refuse } from '../refusal.ts'
import { approvedMail, deletedMail, rejectedMail } from '../vehicles/emails.ts'
import { findMailRecipient } from './queries.ts'

/**
 * Writes the email that other software has us send, with the texts of our own emails.
 *
 * @param withText include what another person wrote
 */
function buildServiceMailContent(mail: ServiceMail, withText: boolean): MailContent {
  const { plate } = mail
  switch (mail.type) {
    case 'message':
    case 'reply': {
      const text = withText ? mail.message : null
      // as parsed, not as written: a line break in it would start another line of the email
      const to = new URL(mail.link).href
      return mail.type === 'message'
        ? messageMail({ plate, reason: null, name: null, text, additions: [], answers: [], to })
        : replyMail({ plate, answer: null, text, to })
    }
    case 'vehicle-approved':
      return approvedMail({ plate })
    case 'vehicle-rejected':
      return rejectedMail({ plate }, mail.reason)
    case 'vehicle-deleted':
      return deletedMail({ plate })
  }
}

/**
 * Sends an email for other software immediately (requirements §7): nothing is stored, and the caller learns the
 * outcome. A person with an account gets it like our own emails: in their language, without the text if they prefer
 * that, and no 'New message' if they have unsubscribed. Refuses with `invalid_input` when the link leads elsewhere, and
 * with `email_failed` when the mail server does not accept the email in time.
 *
 * @param locale for an address without an account
 */
export async function sendServiceMail(context: AppContext, transport: Transport, mail: ServiceMail, locale: Locale) {
  const { config, db, keyring, log } = context
  // compares the beginning, not the origin: `blob:` has one too, and a user name before the host misleads the reader
  if ('link' in mail && !new URL(mail.link).href.startsWith(`${config.PUBLIC_URL}/`)) {
    refuse('invalid_input', {
      fields: { link: { code: 'mail_link_elsewhere', values: { address: `${config.PUBLIC_URL}/` } } },
    })
  }
  const recipient = await findMailRecipient(db, normalizeEmail(mail.to))
  const isWanted = mail.type !== 'message' || (recipient?.email_messages ?? true)
  if (!isWanted) return // reported as sent, as with our own (decision message-emails)

  const language = recipient?.locale ?? locale
  const content = buildServiceMailContent(mail, recipient?.email_message_text ?? true)
  const unsubscribe = mail.type === 'message' &&
    recipient && { unsubscribeUrl: buildUnsubscribeUrl(keyring, config, recipient.id) }
  const rendered = renderMail({ ...content, ...unsubscribe }, { locale: language, config })
  const id = newId()
  const result = await transport.deliver({ id, bypassOutbox: true, to: mail.to, ...rendered })
  if (result.state === 'sent') return
  log.warn({ mail: id, type: mail.type, reason: result.reason }, 'mail for other software failed')
  refuse('email_failed')
}
