import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { Config } from '../config.ts'
import { escapeHtml } from '../html.ts'
import type { MailContent, MailText } from './mail-content.ts'
import {
  DARK_THEME_CSS,
  escapeWithLineBreaks,
  FONT_STYLE,
  INK,
  INK_SOFT,
  LINE,
  PAPER,
  PINE,
  renderBlockHtml,
  renderBlockText,
  renderLinkText,
  SURFACE,
  TABLE_ATTRIBUTES,
  WRAP_STYLE,
} from './render-blocks.ts'

/** An email as it is sent. */
type RenderedMail = { subject: string; html: string; text: string; headers: Record<string, string> }

type MailContext = {
  locale: Locale
  config: Pick<Config, 'PUBLIC_URL' | 'SUPPORT_EMAIL' | 'MAIL_SENDER_NAME' | 'MAIL_POSTAL_ADDRESS'>
}

/**
 * Names the sender and their address (CASL, S.C. 2010, c. 23, s. 6(2)); null if that only repeats the product's name.
 */
const senderIdentity = ({ MAIL_SENDER_NAME, MAIL_POSTAL_ADDRESS }: MailContext['config']): string | null =>
  MAIL_SENDER_NAME === PRODUCT && MAIL_POSTAL_ADDRESS === undefined
    ? null
    : [MAIL_SENDER_NAME, MAIL_POSTAL_ADDRESS].filter(Boolean).join(', ')

/** Lets mail programs offer a one-click 'Unsubscribe' of their own (RFC 2369 §3.2, RFC 8058 §3.1). */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/**
 * Renders an email in the layout that all emails share: HTML with inline styles, at most 600 px wide,
 * and a plain text that says the same. All texts are escaped, and what another person wrote contains no links. The
 * email names the product, its operator and the support address, never a person.
 */
export function renderMail(content: MailContent, { locale, config }: MailContext): RenderedMail {
  const { PUBLIC_URL, SUPPORT_EMAIL } = config
  const { replyTo, unsubscribeUrl } = content
  const inLanguage = { locale }
  const inputs = { ...content.inputs, support: SUPPORT_EMAIL } as never
  const read = (text: MailText): string => {
    if (typeof text === 'string') return text
    return typeof text === 'function' ? text(inputs, inLanguage) : text.map(read).join(' ')
  }
  const addressOf = (to: string) => (to.startsWith('/') ? PUBLIC_URL + localizedPath(to, locale) : to)
  const reader = { read, addressOf, locale }
  const [subject, preheader, heading, reason] = [
    content.subject,
    content.preheader,
    content.heading,
    content.reason,
  ].map(read) as [string, string, string, string]
  const blocks = content.blocks.filter((block) => block !== null && block !== false)
  const home = addressOf(paths.home())
  // some emails ask for a reply
  const replyNotice = replyTo === undefined ? `${m.mail_no_reply({}, inLanguage)} ` : ''
  const tagline = `${PRODUCT}. ${m.mail_tagline({}, inLanguage)}`
  const unsubscribe = m.mail_unsubscribe({}, inLanguage)
  const sender = senderIdentity(config)
  const sentBy = sender === null ? null : m.mail_sent_by({ sender }, inLanguage)
  const smallStyle = `color:${INK_SOFT};font-size:13px;line-height:20px;${FONT_STYLE}`
  const link = (url: string, label: string) =>
    `<a class="pine" href="${escapeHtml(url)}" style="color:${PINE}">${escapeHtml(label)}</a>`
  const footer = [
    escapeWithLineBreaks(reason),
    unsubscribeUrl === undefined ? null : link(unsubscribeUrl, unsubscribe),
    replyNotice + m.mail_help({ address: link(`mailto:${SUPPORT_EMAIL}`, SUPPORT_EMAIL) }, inLanguage),
    tagline,
    sentBy === null ? null : escapeWithLineBreaks(sentBy),
  ].filter((line) => line !== null)
  // keeps an inbox from showing the email's first words after the preheader
  const padding = '&#847;&zwnj;&nbsp;'.repeat(60)
  const html = `<!doctype html>
<html lang="${locale}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(subject)}</title>
<style>${DARK_THEME_CSS}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${PAPER}">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px" aria-hidden="true">${escapeHtml(preheader)}${padding}</div>
<table ${TABLE_ATTRIBUTES} width="100%" class="paper" style="background-color:${PAPER}"><tr><td align="center" style="padding:32px 12px">
<table ${TABLE_ATTRIBUTES} width="100%" style="max-width:600px">
<tr><td style="padding:0 4px 16px"><a class="pine" href="${escapeHtml(home)}" style="font-size:20px;line-height:28px;font-weight:800;color:${PINE};text-decoration:none;${FONT_STYLE}">${PRODUCT}</a></td></tr>
<tr><td class="surface card" style="${WRAP_STYLE};background-color:${SURFACE};border:1px solid ${LINE};border-radius:14px;padding:36px 36px 20px">
<h1 class="ink" style="margin:0 0 20px;font-size:25px;line-height:32px;font-weight:800;color:${INK};${FONT_STYLE}">${escapeHtml(heading)}</h1>
${blocks.map((block) => renderBlockHtml(block, reader)).join('\n')}
</td></tr>
<tr><td style="${WRAP_STYLE};padding:20px 4px 0">
${footer.map((line) => `<p class="soft" style="margin:0 0 8px;${smallStyle}">${line}</p>`).join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  const text = [
    heading,
    ...blocks.map((block) => renderBlockText(block, reader)),
    // "-- " starts the signature (RFC 3676 §4.3)
    `-- \n${tagline}\n${home}`,
    reason,
    ...(unsubscribeUrl === undefined ? [] : [renderLinkText(unsubscribe, unsubscribeUrl, locale)]),
    replyNotice + m.mail_help({ address: SUPPORT_EMAIL }, inLanguage),
    ...(sentBy === null ? [] : [sentBy]),
  ].join('\n\n')
  const replyHeaders: Record<string, string> = replyTo === undefined ? {} : { 'Reply-To': replyTo }
  return { subject, html, text: `${text}\n`, headers: { ...replyHeaders, ...unsubscribeHeaders(unsubscribeUrl) } }
}
