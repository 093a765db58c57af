// node scripts/web-postbuild.mjs [build folder]: finishes what `react-router build` wrote. Hashes what the CSP of each page
// must allow, inlines the styles of pages without scripts, writes the sitemap and the version of the service worker, and
// compresses every text file that is sent unchanged.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { transform } from 'lightningcss'
import { inFrench } from '../web/pages.mjs'

const root = resolve(process.argv[2] ?? 'web/build', 'client')
const MIN_COMPRESSIBLE_BYTES = 512 // below, compression gains nothing
const listFiles = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))

for (const file of listFiles()) if (/\.(br|gz)$/.test(file)) rmSync(file)
const files = listFiles()

/** Returns a page that preloads its modules at low priority: at high priority they compete with the style sheet and the font. */
const deprioritizePreloads = (html) =>
  html.replaceAll('<link rel="modulepreload" href', '<link rel="modulepreload" fetchpriority="low" href')

const STYLESHEET_LINK = /<link rel="stylesheet" href="([^"]+)"[^>]*>/g

/**
 * Inlines the rules of a page's classes instead of linking the style sheet: one round trip less before the first
 * paint, and half of the sheet less. Keeps rules without a class. Only for pages without script files: classes that the
 * inline script sets are found in that script.
 *
 * @param html the page
 */
function inlineUsedStyles(html) {
  const names = referencedNames(html)
  return html.replace(STYLESHEET_LINK, (_, href) => {
    const sheet = { filename: href, code: readFileSync(join(root, href.replace(/[?#].*$/, ''))) }
    const unusedSymbols = [...classNames(sheet)].filter((name) => !names.has(name))
    return `<style>${transform({ ...sheet, minify: true, unusedSymbols })
      .code.toString()
      .trim()}</style>`
  })
}

/** Returns the words of a page's class attributes and of its inline scripts. */
function referencedNames(html) {
  const lists = [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, list]) => unescapeHtml(list).split(/\s+/))
  const scripts = [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script)
  return new Set([...lists, ...(scripts.join('\n').match(/[\w-]+/g) ?? [])])
}

/** Decodes attributes as React writes them. */
const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }
const unescapeHtml = (text) => text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity])

/** Returns the names of all classes in a selector, also those inside `:is()`, `:has()` and the like. */
function classNames(sheet) {
  const names = new Set()
  const collect = (selector) => {
    for (const part of selector) {
      if (part.type === 'class') names.add(part.name)
      for (const inner of part.selectors ?? []) collect(inner)
    }
  }
  transform({ ...sheet, visitor: { Selector: collect } })
  return names
}

/** What the server replaces by a setting (server/src/http/template.ts). */
const PLACEHOLDER = /%[A-Z]+(?:_[A-Z]+)*%/

const cspHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Returns the hashes that a page's policy must allow. What style-src or script-src would block anyway is an error here. */
function collectCspHashes(html, file) {
  const scripts = new Set()
  const styles = new Set()
  const allow = (hashes, body) => {
    const placeholder = PLACEHOLDER.exec(body)
    if (placeholder) throw new Error(`${file}: the server would change what is hashed: ${placeholder[0]}`)
    if (body) hashes.add(cspHash(body))
  }
  for (const [, attributes, body] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    // a data block is never run, so the policy does not apply to it (HTML: "prepare the script element")
    if (!/\bsrc=|\btype="application\/ld\+json"/.test(attributes)) allow(scripts, body)
  }
  for (const [, body] of html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)) allow(styles, body)
  if (/<[a-z][^>]*\sstyle="/.test(html)) throw new Error(`style attribute in ${file}`)
  if (/<[a-z][^>]*\son[a-z]+="/.test(html)) throw new Error(`inline event handler in ${file}`)
  return { scripts: [...scripts], styles: [...styles] }
}

/** Returns the path a page is served at: `/fr/login/index.html` → `/fr/login`. */
const pagePath = (file) => `/${relative(root, file).split(sep).join('/')}`.replace(/\/index\.html$/, '') || '/'
const inEnglish = (path) => path.replace(/^\/fr(?=\/|$)/, '') || '/'

/** Returns the sitemap of these pages, each with its alternates in both languages (sitemaps.org, hreflang). */
function renderSitemap(paths) {
  const url = (path) => `%PUBLIC_URL%${path}`
  const alternate = (language, path) => `<xhtml:link rel="alternate" hreflang="${language}" href="${url(path)}"/>`
  const entries = paths.map((path) => {
    const english = inEnglish(path)
    const alternates = [
      alternate('en-CA', english),
      alternate('fr-CA', inFrench(english)),
      alternate('x-default', english),
    ]
    return `<url><loc>${url(path)}</loc>${alternates.join('')}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}

const policies = {}
const indexablePaths = []
const build = createHash('sha256')
for (const file of files.filter((name) => name.endsWith('.html'))) {
  const prerendered = readFileSync(file, 'utf8')
  const hasScripts = prerendered.includes('modulepreload')
  const html = hasScripts ? deprioritizePreloads(prerendered) : inlineUsedStyles(prerendered)
  writeFileSync(file, html)
  build.update(html)
  if (/<link rel="canonical"/.test(html) && !/<meta name="robots" content="noindex"/.test(html))
    indexablePaths.push(pagePath(file))
  policies[`/${relative(root, file).split(sep).join('/')}`] = collectCspHashes(html, file)
}
writeFileSync(join(root, '..', 'csp.json'), `${JSON.stringify(policies, null, 1)}\n`)
writeFileSync(join(root, 'sitemap.xml'), renderSitemap(indexablePaths.sort()))

// A browser updates a service worker when its bytes change: with every build, because pages name files by their hash.
const worker = join(root, 'sw.js')
const unbuilt = readFileSync(worker, 'utf8')
const built = unbuilt.replace("VERSION = 'unbuilt'", `VERSION = '${build.digest('base64url').slice(0, 16)}'`)
if (built === unbuilt) throw new Error('sw.js has no placeholder for the version of the build')
writeFileSync(worker, built)

let compressed = 0
// not the pages: the server fills in its settings first, and compresses the result
for (const file of files.filter((name) => /\.(js|css|svg|json|webmanifest|data)$/.test(name))) {
  const bytes = readFileSync(file)
  if (bytes.length < MIN_COMPRESSIBLE_BYTES) continue
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  compressed++
}
console.log(
  `${Object.keys(policies).length} pages in csp.json, ${indexablePaths.length} in the sitemap, ${compressed} files compressed`,
)
