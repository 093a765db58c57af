import { normalizeEmail } from '#contract/auth.ts'
import type { Locale } from '#contract/product.ts'
import type { ServiceMail } from '#contract/service-mails.ts'
import { newId } from '../db/ids.ts'
import { renderMail } from '../email/layout.ts'
import type { Transport } from '../email/transport.ts'
import type { Parts } from '../parts.ts'
import { unsubscribeUrl } from '../preferences/unsubscribe-token.ts'
import { refuse } from '../refusal.ts'
import { readerWith } from './queries.ts'
import { serviceMailContent } from './service-emails.ts'

/**
 * Sends a mail for other software at once (spec §7): nothing is kept, and whoever asked learns how it went. A person
 * with an account gets it as they get our own: in their language, without the words if they want none, and no 'New
 * message' if they have ended those. Refuses with `invalid_input` when the link leads elsewhere, and with
 * `email_failed` when the mail server does not take the mail within its time-out.
 *
 * @param locale for an address without an account
 */
export async function sendServiceMail(parts: Parts, transport: Transport, mail: ServiceMail, locale: Locale) {
  const { config, db, keyring, log } = parts
  // by its beginning, not its origin: `blob:` has one too, and a name before the host misleads who reads it
  if ('link' in mail && !new URL(mail.link).href.startsWith(`${config.PUBLIC_URL}/`)) {
    refuse('invalid_input', { fields: { link: `The link must begin with ${config.PUBLIC_URL}/.` } })
  }
  const reader = await readerWith(db, normalizeEmail(mail.to))
  const wanted = mail.type !== 'message' || (reader?.email_messages ?? true)
  if (!wanted) return // told as if it had left, as with our own (decision 0028)

  const language = reader?.locale ?? locale
  const content = serviceMailContent(mail, language, config, reader?.email_message_text ?? true)
  const unsubscribe = mail.type === 'message' &&
    reader && { unsubscribeUrl: unsubscribeUrl(keyring, config, reader.id) }
  const rendered = renderMail({ ...content, ...unsubscribe }, { locale: language, config })
  const id = newId()
  const end = await transport.deliver({ id, pastOutbox: true, to: mail.to, subject: content.subject, ...rendered })
  if (end.state === 'sent') return
  log.warn({ mail: id, type: mail.type, word: end.word }, 'mail for other software failed')
  refuse('email_failed')
}
