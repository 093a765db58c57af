import type { Email } from 'postal-mime'
import type { ReturnReason } from '#contract/health.ts'

/** Returns the values of a field of a mail's header. */
export const valuesOf = ({ headers }: Email, name: string): string[] =>
  headers.filter(({ key }) => key === name).map(({ value }) => value.trim())

/** Returns whether a mail server, and no person, sent a mail. */
export const isFromMailServer = (mail: Email): boolean =>
  valuesOf(mail, 'return-path').some((value) => /^<\s*>/.test(value)) ||
  valuesOf(mail, 'from').some((value) => /(?:^|<|\s)(?:mailer-daemon|postmaster)@/i.test(value))

/** RFC 3464, and RFC 6533 for addresses in other letters. */
const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status']

const FAILURE_SUBJECT =
  /undeliver|returned mail|failure notice|fail\w*\b.*\bdeliver|deliver\w*\b.*\b(?:fail|unsuccessful)|(?:not|n't) (?:be )?delivered|non (?:remis|distribu|livr)|échec de (?:la )?(?:remise|distribution|livraison)/i
const DELAY_SUBJECT = /delay|warning|retard|still being retried/i
/** Where a notification without parts goes on with our own email, whose words say nothing about its way. */
const BEGIN_OF_OUR_MAIL = /^(?:-{3,}|original message|message d'origine)/im

/** A status (RFC 3463), which is no part of an IP address, or the reply code of a mail server (RFC 5321, 4.2). */
const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/
const REPLY_CODE = /(?<![\d.])[45][0-5]\d(?=[ -])/
/** More than any server explains: the patterns here take time by the square of it. */
const TEXT_MAX = 10_000
const OVER_QUOTA = /over ?quota|quota (?:is )?exceeded|exceed\w* (?:\w+ )?quota|mailbox (?:is )?full/i

/**
 * Returns why a mail came back, by its status and the text that explains it; null when the status is that of a passing failure. A
 * full mailbox is one that may be either.
 */
function toReason(status: string, text: string): ReturnReason | null {
  if (/^[45]\.2\.2$/.test(status) || OVER_QUOTA.test(text)) return 'full'
  if (!status.startsWith('5')) return null
  if (/^5\.[67]\./.test(status)) return 'blocked'
  return /^5\.(?:1\.|2\.1$|4\.)/.test(status) ? 'gone' : 'other'
}

/**
 * Returns why a mail came back that this notification is about: a delivery status notification, or one of the common forms without
 * its parts (qmail, Exim). Null for every other mail: replies, absence notes, receipts, and notifications of what passes or that it arrived.
 */
export function readBounce(mail: Email): ReturnReason | null {
  const report = mail.attachments.find(({ mimeType }) => STATUS_TYPES.includes(mimeType))
  if (report) {
    const text = (report.content as string).slice(0, TEXT_MAX) // a string, as the parser was asked for
    const actions = [...text.matchAll(/^action:[ \t]*(\w+)/gim)].map(([, action]) => action!.toLowerCase())
    const [, status] = /^status:[ \t]*(\d\.\d{1,3}\.\d{1,3})/im.exec(text) ?? []
    const hasFailed = actions.length > 0 && actions.every((action) => action === 'failed')
    if (!hasFailed || status === undefined) return null
    // some servers have the general status and say in the diagnostic code which
    return toReason(/\.0\.0$/.test(status) ? (STATUS.exec(text.replace(status, ''))?.[0] ?? status) : status, text)
  }
  const { subject = '', text = mail.html ?? '' } = mail
  const title = subject.slice(0, TEXT_MAX)
  const isFailure = isFromMailServer(mail) && FAILURE_SUBJECT.test(title) && !DELAY_SUBJECT.test(title)
  if (!isFailure && valuesOf(mail, 'x-failed-recipients').length === 0) return null
  const [explanation = ''] = text.trimStart().slice(0, TEXT_MAX).split(BEGIN_OF_OUR_MAIL, 1)
  const code = STATUS.exec(explanation)?.[0] ?? REPLY_CODE.exec(explanation)?.[0]
  return toReason(code ?? '5.0.0', explanation)
}
