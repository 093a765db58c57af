import { normalizeEmail } from '#contract/auth.ts'
import type { Locale } from '#contract/product.ts'
import type { ServiceMail } from '#contract/service-mails.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { renderMail } from '../email/layout.ts'
import type { Transport } from '../email/transport.ts'
import { buildUnsubscribeUrl } from '../preferences/unsubscribe-token.ts'
import { refuse } from '../refusal.ts'
import { findMailRecipient } from './queries.ts'
import { buildServiceMailContent } from './service-mail-content.ts'

/**
 * Sends a mail for other software at once (requirements §7): nothing is kept, and whoever asked learns how it went. A person
 * with an account gets it as they get our own: in their language, without the words if they want none, and no 'New
 * message' if they have ended those. Refuses with `invalid_input` when the link leads elsewhere, and with
 * `email_failed` when the mail server does not take the mail within its time-out.
 *
 * @param locale for an address without an account
 */
export async function sendServiceMail(context: AppContext, transport: Transport, mail: ServiceMail, locale: Locale) {
  const { config, db, keyring, log } = context
  // by its beginning, not its origin: `blob:` has one too, and a name before the host misleads who reads it
  if ('link' in mail && !new URL(mail.link).href.startsWith(`${config.PUBLIC_URL}/`)) {
    refuse('invalid_input', { fields: { link: `The link must begin with ${config.PUBLIC_URL}/.` } })
  }
  const recipient = await findMailRecipient(db, normalizeEmail(mail.to))
  const isWanted = mail.type !== 'message' || (recipient?.email_messages ?? true)
  if (!isWanted) return // told as if it had left, as with our own (decision 0028)

  const language = recipient?.locale ?? locale
  const content = buildServiceMailContent(mail, language, config, recipient?.email_message_text ?? true)
  const unsubscribe = mail.type === 'message' &&
    recipient && { unsubscribeUrl: buildUnsubscribeUrl(keyring, config, recipient.id) }
  const rendered = renderMail({ ...content, ...unsubscribe }, { locale: language, config })
  const id = newId()
  const result = await transport.deliver({ id, bypassOutbox: true, to: mail.to, subject: content.subject, ...rendered })
  if (result.state === 'sent') return
  log.warn({ mail: id, type: mail.type, word: result.reason }, 'mail for other software failed')
  refuse('email_failed')
}
