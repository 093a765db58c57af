import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { inertText } from './inert-text.ts'
import type { Block, MailContent } from './render.ts'

/** What the layout says itself, beside the mail's own words. */
const TEXTS: Record<Locale, { tagline: string; help: string; noReply: string; plate: string }> = {
  en: {
    tagline: 'A short note to the owner of a vehicle, by its plate.',
    help: 'Questions? Write to',
    noReply: 'Nobody reads replies to this e-mail.',
    plate: 'Plate',
  },
  'fr-CA': {
    tagline: 'Un petit mot au propriétaire d’un véhicule, par sa plaque.',
    help: 'Des questions? Écrivez à',
    noReply: 'Personne ne lit les réponses à ce courriel.',
    plate: 'Plaque',
  },
}

export type Surroundings = {
  locale: Locale
  /** Origin of the product's own links. */
  publicUrl: string
  supportEmail: string
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Plain text for an HTML text node or a quoted attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
const lines = (text: string) => escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>')

const FONT = "font-family:'Overpass','Segoe UI',system-ui,-apple-system,Helvetica,Arial,sans-serif"
// the product's colours, as the web app has them; the dark ones stand in DARK
const PAPER = '#faf8f2'
const SURFACE = '#ffffff'
const SUNKEN = '#f2efe6'
const INK = '#14231c'
const INK_SOFT = '#4b5951'
const LINE = '#e0dccf'
const SIGNAL = '#ffb31a'
const PINE = '#1d5540'

// inline styles are all that every mail program reads; those that follow the dark theme read this too
const DARK = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #0e1512 !important; }
  .surface { background-color: #16201b !important; border-color: #2a3730 !important; }
  .sunken { background-color: #0a100d !important; border-color: #93d3b4 !important; }
  .ink { color: #edf1ea !important; }
  .soft { color: #a8b5ad !important; }
  .pine { color: #93d3b4 !important; }
}
@media (max-width: 480px) {
  .card { padding: 24px 20px !important; }
  .button { display: block !important; text-align: center !important; }
}`

const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** A plate as on the web: a frame, the province above, wide capitals. White with dark letters in both themes, as plates are. */
const plateHtml = (plate: string, province: string | undefined, label: string) => `
<table ${table} style="margin:0 0 20px;border-collapse:separate"><tr><td aria-label="${escapeHtml(label)}" style="background-color:#ffffff;border:3px solid ${PINE};border-radius:10px;padding:8px 26px 6px;text-align:center;${FONT};color:${PINE}">
${province ? `<div style="font-size:11px;line-height:16px;letter-spacing:1.5px;text-transform:uppercase;color:${PINE}">${escapeHtml(province)}</div>` : ''}
<div style="font-size:30px;line-height:38px;font-weight:800;letter-spacing:5px;padding-left:5px;color:${PINE};white-space:nowrap">${escapeHtml(plate)}</div>
</td></tr></table>`

function blockHtml(block: Block, locale: Locale): string {
  const paragraph = `margin:0 0 16px;font-size:17px;line-height:26px;color:${INK};${FONT}`
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="${paragraph}">${lines(block.text)}</p>`
    case 'note':
      return `<p class="soft" style="margin:0 0 16px;font-size:14px;line-height:21px;color:${INK_SOFT};${FONT}">${lines(block.text)}</p>`
    case 'quote':
      return `<blockquote class="sunken ink" dir="auto" style="margin:0 0 20px;padding:14px 18px;background-color:${SUNKEN};border-left:4px solid ${PINE};border-radius:4px;font-size:17px;line-height:26px;color:${INK};word-break:break-word;overflow-wrap:anywhere;${FONT}">${lines(inertText(block.text))}</blockquote>`
    case 'plate':
      return plateHtml(block.plate, block.province, TEXTS[locale].plate)
    case 'button':
      return `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(block.url)}" style="display:inline-block;background-color:${SIGNAL};color:${INK};font-size:17px;line-height:24px;font-weight:700;text-decoration:none;padding:12px 24px;border-radius:8px;${FONT}">${escapeHtml(block.label)}</a></p>`
    case 'list':
      return `<ul class="ink" style="${paragraph};padding-left:22px">${block.items.map((item) => `<li style="margin:0 0 6px">${lines(item)}</li>`).join('')}</ul>`
  }
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return block.text
    case 'quote':
      return inertText(block.text)
        .split(/\r\n|\r|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')
    case 'plate':
      return `[ ${block.plate} ]${block.province ? ` ${block.province}` : ''}`
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
  }
}

/**
 * One layout for every mail (design §5): HTML with inline styles, at most 600 px wide, and a plain text that says the
 * same. All words are escaped; a quote holds no links. It names the product and the support address, never a person.
 */
export function renderMail(
  { subject, preheader, heading, blocks, reason }: Omit<MailContent, 'headers'>,
  { locale, publicUrl, supportEmail }: Surroundings,
): { html: string; text: string } {
  const texts = TEXTS[locale]
  const home = `${publicUrl}${localizedPath(paths.home(), locale)}`
  const small = `font-size:13px;line-height:20px;${FONT}`
  // filled up, so that an inbox shows the preheader and not the mail's first words after it
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
<style>${DARK}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${PAPER}">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px" aria-hidden="true">${escapeHtml(preheader)}${padding}</div>
<table ${table} width="100%" class="paper" style="background-color:${PAPER}"><tr><td align="center" style="padding:32px 12px">
<table ${table} width="100%" style="max-width:600px">
<tr><td style="padding:0 4px 16px"><a class="pine" href="${escapeHtml(home)}" style="font-size:20px;line-height:28px;font-weight:800;color:${PINE};text-decoration:none;${FONT}">${PRODUCT}</a></td></tr>
<tr><td class="surface card" style="background-color:${SURFACE};border:1px solid ${LINE};border-radius:14px;padding:36px 36px 20px">
<h1 class="ink" style="margin:0 0 20px;font-size:25px;line-height:32px;font-weight:800;color:${INK};${FONT}">${escapeHtml(heading)}</h1>
${blocks.map((block) => blockHtml(block, locale)).join('\n')}
</td></tr>
<tr><td style="padding:20px 4px 0">
<p class="soft" style="margin:0 0 8px;color:${INK_SOFT};${small}">${lines(reason)}</p>
<p class="soft" style="margin:0 0 8px;color:${INK_SOFT};${small}">${texts.noReply} ${texts.help} <a class="pine" href="mailto:${escapeHtml(supportEmail)}" style="color:${PINE}">${escapeHtml(supportEmail)}</a>.</p>
<p class="soft" style="margin:0;color:${INK_SOFT};${small}">${PRODUCT}. ${texts.tagline}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  const text = [
    heading,
    ...blocks.map(blockText),
    // "-- " starts the signature (RFC 3676 §4.3)
    `-- \n${PRODUCT}. ${texts.tagline}\n${home}`,
    reason,
    `${texts.noReply} ${texts.help} ${supportEmail}.`,
  ].join('\n\n')
  return { html, text: `${text}\n` }
}
