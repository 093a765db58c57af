import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import type { ServiceMail } from '#contract/service-mails.ts'
import type { Config } from '../config.ts'
import type { MailContent } from '../email/mail-content.ts'
import { MESSAGE_MAILS, REPLY_MAILS } from '../messages/emails.ts'
import { approvedMail, deletedMail, rejectedMail } from '../vehicles/emails.ts'

/**
 * Writes the email that other software has us send, with the texts of our own emails.
 *
 * @param withText include what another person wrote
 */
export function buildServiceMailContent(
  mail: ServiceMail,
  locale: Locale,
  config: Config,
  withText: boolean,
): MailContent {
  const { plate } = mail
  const vehicle = {
    plate,
    url: config.PUBLIC_URL + localizedPath(paths.vehicles(), locale),
    supportEmail: config.SUPPORT_EMAIL,
  }
  switch (mail.type) {
    case 'message':
    case 'reply': {
      const text = withText ? mail.message : null
      // as parsed, not as written: a line break in it would start another line of the email
      const url = new URL(mail.link).href
      return mail.type === 'message'
        ? MESSAGE_MAILS[locale]({ plate, reason: null, text, additions: [], url })
        : REPLY_MAILS[locale]({ plate, answer: null, text, url })
    }
    case 'vehicle-approved':
      return approvedMail[locale](vehicle)
    case 'vehicle-rejected':
      return rejectedMail[locale]({ ...vehicle, reason: mail.reason })
    case 'vehicle-deleted':
      return deletedMail[locale](vehicle)
  }
}
