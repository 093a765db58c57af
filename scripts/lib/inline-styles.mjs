import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'lightningcss'

const STYLESHEET_LINK = /<link rel="stylesheet" href="([^"]+)"[^>]*>/g

/**
 * Inlines the rules of a page's classes instead of linking the style sheet: one round trip less before the first
 * paint, and half of the sheet less. Keeps rules without a class. Only for pages without script files: classes that the
 * inline script sets are found in that script.
 *
 * @param html the page
 * @param root the folder its addresses are relative to
 */
export function inlineUsedStyles(html, root) {
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
