import type { IncomingHttpHeaders } from 'node:http'
import type { Locale } from '#contract/product.ts'

/** Returns the language a caller asked for: French for any French, English otherwise (RFC 9110 §12.5.4). */
export function requestLocale(request: { headers: IncomingHttpHeaders }): Locale {
  const header = request.headers['accept-language'] ?? ''
  const preferred = header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((p) => /^\s*q=([\d.]+)/.exec(p)?.[1]).find(Boolean)
      return { tag, q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ tag, q }) => /^(en|fr)\b/.test(tag) && q > 0)
    .sort((a, b) => b.q - a.q)[0]
  return preferred?.tag.startsWith('fr') ? 'fr-CA' : 'en'
}
