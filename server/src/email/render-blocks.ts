import type { Locale } from '#contract/product.ts'
import { provinceName } from '#contract/provinces.ts'
import { m } from '#texts/messages.js'
import { escapeHtml } from '../html.ts'
import type { MailBlock, MailMessage, MailText } from './mail-content.ts'

/** Turns the texts and pages of an email into those of its recipient. */
type MailReader = { read: (text: MailText) => string; addressOf: (to: string) => string; locale: Locale }

/** Escapes plain text and keeps its line breaks. */
export const escapeWithLineBreaks = (text: string) => escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>')

export const FONT_STYLE = "font-family:'Overpass','Segoe UI',system-ui,-apple-system,Helvetica,Arial,sans-serif"
/** For cells with what people have typed, or an address: neither is wider than the screen. */
export const WRAP_STYLE = 'word-break:break-word;overflow-wrap:anywhere'
// the product's colours, as in the web app; the dark ones are in DARK_THEME_CSS
export const PAPER = '#faf8f2'
export const SURFACE = '#ffffff'
const SUNKEN = '#f2efe6'
export const INK = '#14231c'
export const INK_SOFT = '#4b5951'
export const LINE = '#e0dccf'
const SIGNAL = '#ffb31a'
export const PINE = '#1d5540'

// Every mail program reads inline styles; those with a dark theme read this too.
export const DARK_THEME_CSS = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #0e1512 !important; }
  .surface { background-color: #16201b !important; border-color: #2a3730 !important; }
  .sunken { background-color: #0a100d !important; border-color: #93d3b4 !important; }
  .ink { color: #edf1ea !important; }
  .soft { color: #a8b5ad !important; }
  .pine { color: #93d3b4 !important; }
  .outlined { border-color: #93d3b4 !important; }
}
@media (max-width: 480px) {
  .card { padding: 24px 20px !important; }
  .button { display: block !important; margin-right: 0 !important; text-align: center !important; }
}`

/** Attributes of a table that is only there for the layout. */
export const TABLE_ATTRIBUTES = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

// It is thin, and white space by its Unicode category, so that link detection stops at it. A zero-width character would
// not do: some programs read it as part of a host name, and browsers drop it (UTS #46), which restores the link.
const HAIR_SPACE = '\u200a'

/**
 * Keeps mail programs from turning addresses in a stranger's text into links: a hair space splits whatever could be
 * read as an address, as in `https: //example. com`. Everything else stays as it was written.
 */
export const defang = (text: string): string =>
  text
    .replace(/(?<=\p{L}):(?=\S)|:(?=\/\/)/gu, `:${HAIR_SPACE}`)
    .replace(/@(?=\S)/gu, `@${HAIR_SPACE}`)
    // host names, with any character IDNA reads as a dot (RFC 3490 §3.1), and IPv4 addresses, but not 12.50
    .replace(
      /(?<=[\p{L}\p{N}_-])[.\u3002\uff0e\uff61](?=[\p{L}_-]|\p{N}+[.\u3002\uff0e\uff61]\p{N}|\p{N}+\p{L})/gu,
      `$&${HAIR_SPACE}`,
    )

/** Draws a plate as on the web: framed, the province above, wide capitals; white in both themes, as plates are. */
const renderPlateHtml = (plate: string, province: string | undefined, label: string) => `
<table ${TABLE_ATTRIBUTES} style="margin:0 0 20px;border-collapse:separate"><tr><td aria-label="${escapeHtml(label)}" style="background-color:#ffffff;border:3px solid ${PINE};border-radius:10px;padding:8px 26px 6px;text-align:center;${FONT_STYLE};color:${PINE}">
${province ? `<div style="font-size:11px;line-height:16px;letter-spacing:1.5px;text-transform:uppercase;color:${PINE}">${escapeHtml(province)}</div>` : ''}
<div style="font-size:30px;line-height:38px;font-weight:800;letter-spacing:5px;padding-left:5px;color:${PINE};white-space:nowrap">${escapeHtml(plate)}</div>
</td></tr></table>`

/** Draws a plate small enough to begin a line. */
const renderPlateTag = (plate: string) =>
  `<span style="display:inline-block;background-color:#ffffff;border:2px solid ${PINE};border-radius:6px;padding:1px 6px 0 8px;margin-right:10px;font-size:15px;line-height:22px;font-weight:800;letter-spacing:2px;color:${PINE};white-space:nowrap">${escapeHtml(plate)}</span>`

/** Sets off another person's text. Without `dir`, a text from right to left would mix with ours. */
const renderQuoteHtml = (text: string) =>
  `<blockquote class="sunken ink" dir="auto" style="margin:0 0 20px;padding:14px 18px;background-color:${SUNKEN};border-left:4px solid ${PINE};border-radius:4px;font-size:17px;line-height:26px;color:${INK};${FONT_STYLE}">${escapeWithLineBreaks(defang(text))}</blockquote>`

const renderNoteHtml = (text: string) =>
  `<p class="soft" style="margin:0 0 16px;font-size:14px;line-height:21px;color:${INK_SOFT};${FONT_STYLE}">${escapeWithLineBreaks(text)}</p>`

const BUTTON_STYLE = `display:inline-block;font-size:17px;line-height:24px;font-weight:700;text-decoration:none;border-radius:8px;margin:0 8px 12px 0;${FONT_STYLE}`
const FILLED_STYLE = `background-color:${SIGNAL};color:${INK};padding:12px 24px`
/** With the line around it as large as the other. */
const OUTLINED_STYLE = `color:${PINE};border:2px solid ${PINE};padding:10px 22px`

const renderButtonHtml = (label: string, address: string, isFilled = true) =>
  `<a class="button${isFilled ? '' : ' pine outlined'}" href="${escapeHtml(address)}" style="${BUTTON_STYLE};${isFilled ? FILLED_STYLE : OUTLINED_STYLE}">${escapeHtml(label)}</a>`

/** Renders one of several messages as HTML. */
export const renderMessageHtml = (
  { plate, title, text, note, button }: MailMessage,
  { read, addressOf }: Pick<MailReader, 'read' | 'addressOf'>,
): string =>
  [
    `<p class="ink" style="margin:0 0 8px;font-size:17px;line-height:26px;font-weight:700;color:${INK};${FONT_STYLE}">${plate === null ? '' : renderPlateTag(plate)}${escapeWithLineBreaks(title)}</p>`,
    text === null ? '' : renderQuoteHtml(text),
    note === null ? '' : renderNoteHtml(note),
    button && `<p style="margin:0 0 16px">${renderButtonHtml(read(button.button), addressOf(button.to), false)}</p>`,
  ].join('')

const isText = (block: MailBlock): block is MailText =>
  typeof block === 'string' || typeof block === 'function' || Array.isArray(block)

/** Renders a piece of an email as HTML with inline styles. */
export function renderBlockHtml(block: MailBlock, { read, addressOf, locale }: MailReader): string {
  const paragraph = `margin:0 0 16px;font-size:17px;line-height:26px;color:${INK};${FONT_STYLE}`
  if (isText(block)) return `<p class="ink" style="${paragraph}">${escapeWithLineBreaks(read(block))}</p>`
  if ('note' in block) return renderNoteHtml(read(block.note))
  if ('quote' in block) return renderQuoteHtml(block.quote)
  if ('message' in block) return renderMessageHtml(block.message, { read, addressOf })
  if ('plate' in block) {
    const province = block.province && provinceName(block.province, locale)
    return renderPlateHtml(block.plate, province, m.mail_plate({}, { locale }))
  }
  // one word, so that a long press selects it whole
  if ('code' in block)
    return `<p class="ink" style="margin:0 0 20px;font-size:38px;line-height:46px;font-weight:800;letter-spacing:8px;color:${INK};white-space:nowrap;${FONT_STYLE}">${escapeHtml(block.code)}</p>`
  if ('list' in block)
    return `<ul class="ink" style="${paragraph};padding-left:22px">${block.list.map((item) => `<li style="margin:0 0 6px">${escapeWithLineBreaks(read(item))}</li>`).join('')}</ul>`
  const buttons = 'choices' in block ? block.choices : [block]
  return `<p style="margin:8px 0 12px">${buttons.map(({ button, to }, place) => renderButtonHtml(read(button), addressOf(to), place === 0)).join('\n')}</p>`
}

/** Everything a mail program may begin a new line at: no line of another person's text is without its sign. */
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

const renderQuoteText = (text: string) =>
  defang(text)
    .split(LINE_BREAK)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** Renders a link as plain text. */
export const renderLinkText = (label: string, url: string, locale: Locale): string =>
  `${m.mail_link_label({ label }, { locale })}\n${url}`

/** Renders a piece of an email as plain text. */
export function renderBlockText(block: MailBlock, { read, addressOf, locale }: MailReader): string {
  if (isText(block)) return read(block)
  if ('note' in block) return read(block.note)
  if ('quote' in block) return renderQuoteText(block.quote)
  if ('code' in block) return block.code
  if ('plate' in block) {
    const { plate, province } = block
    return `[ ${plate} ]${province ? ` ${provinceName(province, locale)}` : ''}`
  }
  if ('message' in block) {
    const { plate, title, text, note, button } = block.message
    const link = button ? renderLinkText(read(button.button), addressOf(button.to), locale) : null
    return [plate === null ? title : `[ ${plate} ] ${title}`, text === null ? null : renderQuoteText(text), note, link]
      .filter((part) => part !== null)
      .join('\n')
  }
  if ('list' in block) return block.list.map((item) => `- ${read(item)}`).join('\n')
  const buttons = 'choices' in block ? block.choices : [block]
  return buttons.map(({ button, to }) => renderLinkText(read(button), addressOf(to), locale)).join('\n\n')
}
