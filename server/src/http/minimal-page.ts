import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { localizedPath, paths } from '#contract/paths.ts'
import { type Locale, PRODUCT } from '#contract/product.ts'
import { escapeHtml } from '../html.ts'

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#faf8f2, #0e1512); --surface: light-dark(#fff, #16201b);
  --ink: light-dark(#14231c, #edf1ea); --soft: light-dark(#4b5951, #a8b5ad); --line: light-dark(#e0dccf, #2a3730);
  --pine: light-dark(#1d5540, #93d3b4); }
* { box-sizing: border-box }
body { margin: 0; overflow-wrap: anywhere; background: var(--paper); color: var(--ink); font: 17px/1.55 Overpass, system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: clamp(1.5rem, 8vh, 5rem) 1rem 3rem; }
a { color: var(--pine); text-underline-offset: .2em; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--pine); outline-offset: 3px; border-radius: 8px; }
.home { display: inline-block; padding: .5rem 0; margin: 0 0 .75rem; font-size: 1.2rem; font-weight: 800; text-decoration: none; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.5rem, 6vw, 2.25rem); }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 1rem; text-wrap: balance; }
p { margin: 0 0 1.25rem; color: var(--soft); }
form { margin: 0 0 .75rem; }
button { min-height: 48px; padding: .6rem 1.5rem; border: 0; border-radius: 8px; background: #ffb31a; color: #14231c;
  font: inherit; font-weight: 700; cursor: pointer; }
.link { display: inline-block; padding: .65rem 0; }
@media (max-width: 480px) { button { width: 100% } }
@media (forced-colors: active) { button { border: 1px solid } }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Allows its own style and a form to this server, and nothing else: no script. */
const MINIMAL_PAGE_CSP = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

type MinimalPage = {
  heading: string
  text: string
  /** HTML below the text. */
  form?: string
  /** Where to continue, in the page's language. */
  link: { text: string; path: string }
}

/**
 * Renders a short page for addresses the web app does not have. Its texts are written by us and are not escaped.
 */
export function renderMinimalPage(
  locale: Locale,
  publicUrl: string,
  { heading, text, form = '', link }: MinimalPage,
): string {
  const href = (path: string) => escapeHtml(publicUrl + localizedPath(path, locale))
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · ${PRODUCT}</title>
<style>${STYLE}</style>
</head>
<body><main>
<a class="home" href="${href(paths.home())}">${PRODUCT}</a>
<section>
<h1>${heading}</h1>
<p>${text}</p>
${form}
<a class="link" href="${href(link.path)}">${link.text}</a>
</section>
</main></body>
</html>
`
}

/** Sends a minimal page, which must not be cached. */
export const sendMinimalPage = (reply: FastifyReply, status: number, html: string) =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-security-policy', MINIMAL_PAGE_CSP)
    .type('text/html; charset=utf-8')
    .send(html)
