import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import type { Config } from '../config.ts'
import { escapeHtml } from '../html.ts'
import type { MailContent } from './mail-content.ts'
import {
  DARK_THEME_CSS,
  escapeWithLineBreaks,
  FONT_STYLE,
  INK,
  INK_SOFT,
  LINE,
  linkLabel,
  PAPER,
  PINE,
  renderBlockHtml,
  renderBlockText,
  SURFACE,
  TABLE_ATTRIBUTES,
} from './render-blocks.ts'

type Texts = Record<'tagline' | 'help' | 'noReply' | 'sentBy' | 'unsubscribe', string>

/** The texts of the layout itself. */
const TEXTS: Record<Locale, Texts> = {
  en: {
    tagline: 'A short note to a vehicle’s owner, by licence plate.',
    help: 'Questions? Write to',
    noReply: 'Replying to this email reaches nobody.',
    sentBy: 'Sent by',
    unsubscribe: 'Stop emails about new messages',
  },
  'fr-CA': {
    tagline: 'Un petit mot pour le propriétaire d’un véhicule, grâce à sa plaque.',
    help: 'Des questions? Écrivez à',
    noReply: 'Les réponses à ce courriel ne parviennent à personne.',
    sentBy: 'Envoyé par',
    unsubscribe: 'Ne plus recevoir de courriels au sujet des nouveaux messages',
  },
}

type MailContext = {
  locale: Locale
  config: Pick<Config, 'PUBLIC_URL' | 'SUPPORT_EMAIL' | 'MAIL_SENDER_NAME' | 'MAIL_POSTAL_ADDRESS'>
}

/**
 * Names the sender and their address (CASL, S.C. 2010, c. 23, s. 6(2)); null if that only repeats the product's name.
 */
const senderIdentity = (
  { MAIL_SENDER_NAME, MAIL_POSTAL_ADDRESS }: MailContext['config'],
  sentBy: string,
): string | null =>
  MAIL_SENDER_NAME === PRODUCT && MAIL_POSTAL_ADDRESS === undefined
    ? null
    : `${sentBy} ${[MAIL_SENDER_NAME, MAIL_POSTAL_ADDRESS].filter(Boolean).join(', ')}`

/** Lets mail programs offer a one-click 'Unsubscribe' of their own (RFC 2369 §3.2, RFC 8058 §3.1). */
const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/**
 * Renders an email in the layout that all emails share: HTML with inline styles, at most 600 px wide,
 * and a plain text that says the same. All texts are escaped, and what another person wrote contains no links. The
 * email names the product, its operator and the support address, never a person.
 */
export function renderMail(
  { subject, preheader, heading, blocks, reason, unsubscribeUrl, headers = {} }: MailContent,
  { locale, config }: MailContext,
): { html: string; text: string; headers: Record<string, string> } {
  const texts = TEXTS[locale]
  const { PUBLIC_URL, SUPPORT_EMAIL } = config
  const home = `${PUBLIC_URL}${localizedPath(paths.home(), locale)}`
  // some emails ask for a reply
  const replyNotice = headers['Reply-To'] === undefined ? `${texts.noReply} ` : ''
  const sender = senderIdentity(config, texts.sentBy)
  const smallStyle = `color:${INK_SOFT};font-size:13px;line-height:20px;${FONT_STYLE}`
  const link = (url: string, label: string) =>
    `<a class="pine" href="${escapeHtml(url)}" style="color:${PINE}">${escapeHtml(label)}</a>`
  const footer = [
    escapeWithLineBreaks(reason),
    unsubscribeUrl === undefined ? null : link(unsubscribeUrl, texts.unsubscribe),
    `${replyNotice}${texts.help} ${link(`mailto:${SUPPORT_EMAIL}`, SUPPORT_EMAIL)}.`,
    `${PRODUCT}. ${texts.tagline}`,
    sender === null ? null : escapeWithLineBreaks(sender),
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
<tr><td class="surface card" style="background-color:${SURFACE};border:1px solid ${LINE};border-radius:14px;padding:36px 36px 20px">
<h1 class="ink" style="margin:0 0 20px;font-size:25px;line-height:32px;font-weight:800;color:${INK};${FONT_STYLE}">${escapeHtml(heading)}</h1>
${blocks.map((block) => renderBlockHtml(block, locale)).join('\n')}
</td></tr>
<tr><td style="padding:20px 4px 0">
${footer.map((line) => `<p class="soft" style="margin:0 0 8px;${smallStyle}">${line}</p>`).join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  const text = [
    heading,
    ...blocks.map((block) => renderBlockText(block, locale)),
    // "-- " starts the signature (RFC 3676 §4.3)
    `-- \n${PRODUCT}. ${texts.tagline}\n${home}`,
    reason,
    ...(unsubscribeUrl === undefined ? [] : [`${linkLabel(texts.unsubscribe, locale)}\n${unsubscribeUrl}`]),
    `${replyNotice}${texts.help} ${SUPPORT_EMAIL}.`,
    ...(sender === null ? [] : [sender]),
  ].join('\n\n')
  return { html, text: `${text}\n`, headers: { ...headers, ...unsubscribeHeaders(unsubscribeUrl) } }
}
