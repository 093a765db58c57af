import { escapeHtml } from '../html.ts'

/** Escapes plain text and keeps its line breaks. */
export const escapeWithLineBreaks = (text: string) => escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>')

export const FONT_STYLE = "font-family:'Overpass','Segoe UI',system-ui,-apple-system,Helvetica,Arial,sans-serif"
// the product's colours, as in the web app; the dark ones are in DARK_THEME_CSS
export const PAPER = '#faf8f2'
export const SURFACE = '#ffffff'
export const SUNKEN = '#f2efe6'
export const INK = '#14231c'
export const INK_SOFT = '#4b5951'
export const LINE = '#e0dccf'
export const SIGNAL = '#ffb31a'
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
}
@media (max-width: 480px) {
  .card { padding: 24px 20px !important; }
  .button { display: block !important; text-align: center !important; }
}`

/** Attributes of a table that is only there for the layout. */
export const TABLE_ATTRIBUTES = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
