import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Notes a text that was handed to the translator and is to be left as it is. */
    noteMistaken(text: string): void
  }
}

/**
 * What browsers and extensions that translate, or help to read, do to the texts of a page. Here each keeps its words, so that every
 * test can ask for them; but what is shown is the translation, and `untranslated` finds one of what a text no longer says.
 */
export type Translation =
  /** It is replaced by an element: Chrome, Edge, Samsung Internet. */
  | 'replaced'
  /** It is moved into an element, unchanged: aids to reading. */
  | 'moved'
  /** Another text takes its place (Safari), or those beside it go into it (Firefox). */
  | 'merged'
  /** It is replaced by an element by a script of the page's own world, call by call: Chrome on iPhones. */
  | 'by calls'

/** Runs in the page once React has taken it over, or at once without React, and translates it and whatever comes later. */
function translatePage(translation: Translation) {
  const nobodys = 'head, script, style, noscript, textarea, svg, [translate=no]'
  /** What stands for a text of the page, with that text and what it said then. */
  const translated = new Map<Node, { text: Text; was: string }>()
  /** What is handed to the translator and must not be: addresses, plates, names and makes of tests, the name of the product. */
  const verbatim = /\S+@\S+|\bE2E-?\d{4}\b|\bMaya\b|Alex Tremblay|Honda|Civic|PlateNote/
  const isOurs = (node: Node | null): boolean => node !== null && (translated.has(node) || isOurs(node.parentNode))
  const isWanted = ({ data, parentElement }: Text) => /\p{L}/u.test(data) && parentElement?.closest(nobodys) === null

  function translate(text: Text) {
    const parent = text.parentElement
    if (parent === null || isOurs(text) || !isWanted(text)) return
    if (verbatim.test(text.data)) window.noteMistaken(text.data)
    if (translation === 'merged') {
      const { data, nextSibling } = text
      const other = nextSibling instanceof Text ? text : new Text()
      other.data = data
      for (let next = text.nextSibling; next instanceof Text; next = text.nextSibling) {
        other.data += next.data
        next.remove()
      }
      translated.set(other, { text: other, was: other.data })
      if (other !== text) text.replaceWith(other)
      return
    }
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    outer.append(inner)
    translated.set(outer, { text, was: text.data })
    if (translation !== 'moved') inner.append(text.data)
    if (translation === 'by calls') {
      parent.insertBefore(outer, text)
      parent.removeChild(text)
    } else text.replaceWith(outer)
    if (translation === 'moved') inner.append(text)
  }
  function translateAll(root: Node) {
    const texts: Node[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node: Node | null = root; node; node = walker.nextNode()) texts.push(node)
    for (const text of texts) if (text instanceof Text) translate(text)
  }

  const observer = new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'childList') for (const node of addedNodes) translateAll(node)
      // React has written into a text that it takes for its own
      else if (target instanceof Text && target.isConnected && translated.get(target)?.was !== target.data) {
        translated.delete(target)
        translate(target)
      }
    }
  })
  /** Returns the texts that are shown as they are, and translations of what a text no longer says. */
  const untranslated = () => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = walker.nextNode() as Text | null; text; text = walker.nextNode() as Text | null)
      if (isWanted(text) && !isOurs(text)) found.push(text.data)
    for (const [node, { text, was }] of translated)
      if (node.isConnected && !node.contains(text) && text.data !== was) found.push(`${was} (now: ${text.data})`)
    return found
  }
  const begin = () => {
    translateAll(document.body)
    // not the body: pages with a plain form replace it
    observer.observe(document, { childList: true, characterData: true, subtree: true })
    Object.assign(window, { untranslated })
    document.documentElement.classList.add('translated-ltr') // as Chrome does
  }
  const waiting = setInterval(() => {
    const isAlive = Object.keys(document.documentElement).some((key) => key.startsWith('__reactFiber'))
    if (!isAlive && (document.readyState !== 'complete' || document.querySelector('[rel=modulepreload]'))) return
    clearInterval(waiting)
    setTimeout(begin)
  }, 5)
}

/**
 * Translates every page of this tab as soon as it is alive. Returns what these pages have handed to the translator that is to be left as
 * it is; the list grows.
 */
export async function translatePages(page: Page, translation: Translation): Promise<string[]> {
  const mistaken: string[] = []
  await page.exposeFunction('noteMistaken', (text: string) => void mistaken.push(`to be left as it is: ${text}`))
  await page.addInitScript(translatePage, translation)
  return mistaken
}

/** Returns what a page shows although it is translated, or shows as it was before. Pages of text have nothing that changes. */
export const untranslated = (page: Page) =>
  page.evaluate<string[]>(
    `window.untranslated?.() ?? (document.querySelector('[rel=modulepreload]') ? ['nothing is translated'] : [])`,
  )
