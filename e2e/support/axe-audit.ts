import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from '@playwright/test'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { runsAll } from '../../server/src/test/runs-all.ts'
import { englishTexts } from './texts.ts'

/** The part of axe that is used here, as it is in the page. */
declare const axe: {
  run(
    context: Document,
    options: { runOnly: string[]; resultTypes: ['violations']; preload: false },
  ): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }>
}

/** WCAG 2.2 at level AA, whose levels and versions axe names one by one, and good practice besides. */
const RULE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
type Theme = 'light' | 'dark'
/** How a screen is shown while axe looks at it. */
type Appearance = { width: number; theme: Theme }

const PHONE_WIDTH = 390
const DESKTOP_WIDTH = 1440
/** At a width of 1280 and a zoom of 400 %, a page is read without scrolling sideways (WCAG 1.4.10). */
const ZOOMED_WIDTH = 320
/** The sizes that people choose in a browser: what most have, and twice that. */
const [USUAL_FONT_PX, LARGE_FONT_PX] = [16, 32]
/**
 * Where nothing may be wider than its screen. `npm test` leaves out the narrow screens with usual fonts but the phone's: what fits there
 * with large fonts fits with usual ones, unless it is measured in pixels, and each size lays out the whole page.
 */
const FITTING = [
  { font: USUAL_FONT_PX, widths: runsAll ? [ZOOMED_WIDTH, PHONE_WIDTH, DESKTOP_WIDTH] : [PHONE_WIDTH, DESKTOP_WIDTH] },
  { font: LARGE_FONT_PX, widths: runsAll ? [ZOOMED_WIDTH, PHONE_WIDTH, 1280] : [ZOOMED_WIDTH] },
]

/** How `npm run test:full` shows a screen, in an order in which one thing changes at a time: a new theme redraws the whole page, which costs as much as axe. */
const ALL_APPEARANCES: Appearance[] = [
  { width: PHONE_WIDTH, theme: 'light' },
  { width: PHONE_WIDTH, theme: 'dark' },
  { width: DESKTOP_WIDTH, theme: 'dark' },
  { width: DESKTOP_WIDTH, theme: 'light' },
]
/** How `npm test` does: as the page is, which on a phone is dark (fixtures.ts). */
const usualAppearance = (width: number): Appearance => ({ width, theme: width <= PHONE_WIDTH ? 'dark' : 'light' })

// axe itself belongs to the package that wraps it: one copy, whichever folder it was installed into
const requireFromPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE_SOURCE = readFileSync(requireFromPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** Returns what speaks to the browser about a page without Playwright between them. */
function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/** Sets the size of fonts that a person has chosen in the browser. */
async function setFontSize(page: Page, standard: number) {
  const session = await sessionOf(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard } })
  // the page may learn of it after the answer
  await page.evaluate(async (size) => {
    while (getComputedStyle(document.documentElement).fontSize !== size) await new Promise(requestAnimationFrame)
  }, `${standard}px`)
}

/** Runs in the page: a colour on its way from one theme to the other belongs to neither, and each child waits for its parent. */
function disableTransitions() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** Runs in the page. Reading a style computes it for this width and theme, so that axe need not wait for a frame. */
async function runAxe({ rules, width, theme }: Appearance & { rules: string[] }): Promise<string[]> {
  if (document.documentElement.clientWidth !== width || !matchMedia(`(prefers-color-scheme: ${theme})`).matches)
    throw new Error('not there yet')
  // not preloaded: sounds that play by themselves, of which there are none
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'], preload: false })
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Runs in the page: says by how much it, or a dialog, is wider than what shows it, and what sticks out; null: it fits. */
function excessWidth(width: number): string | null {
  const { clientWidth } = document.documentElement // not innerWidth, which on a phone grows with what is too wide
  if (clientWidth !== width) throw new Error('not there yet')
  for (const shown of [document.documentElement, ...document.querySelectorAll('dialog[open]')]) {
    if (shown.scrollWidth <= shown.clientWidth) continue
    const edge = shown.getBoundingClientRect().left + shown.clientWidth
    const wide = [...shown.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > edge + 1)
    const innermost = wide.find((element) => !wide.some((other) => other !== element && element.contains(other)))
    return `${shown.scrollWidth - shown.clientWidth} px wider than the screen: ${innermost?.outerHTML.slice(0, 200)}`
  }
  return null
}

/** Returns where a page is wider than the screen, and leaves it as it was. */
export async function horizontalOverflow(page: Page, where: string): Promise<string[]> {
  const size = page.viewportSize()!
  const found: string[] = []
  for (const { font, widths } of FITTING) {
    if (font !== USUAL_FONT_PX) await setFontSize(page, font)
    // as it is first: whatever changes is laid out anew
    for (const width of widths.toSorted((one, other) => Number(other === size.width) - Number(one === size.width))) {
      await page.setViewportSize({ ...size, width })
      const excess = await page.evaluate(excessWidth, width)
      if (excess) found.push(`${where} at ${width} px, fonts of ${font} px: ${excess}`)
    }
  }
  await setFontSize(page, USUAL_FONT_PX)
  await page.setViewportSize(size)
  return found
}

/**
 * Looks at what a page shows, and leaves it as it was. Returns what is wrong, one line each: by every rule of axe, as wider than its
 * screen, and on a French page as an English text of the product. axe's own wrapper opens a tab for every result and hands it half a
 * megabyte; here a document gets axe once.
 */
export async function auditScreen(page: Page, where: string): Promise<string[]> {
  const size = page.viewportSize()!
  const found: string[] = []
  if (!(await page.evaluate('"axe" in globalThis'))) {
    const session = await sessionOf(page)
    await session.send('Runtime.evaluate', { expression: AXE_SOURCE }) // Playwright would parse it first
    await page.evaluate(disableTransitions)
  }
  for (const { width, theme } of runsAll ? ALL_APPEARANCES : [usualAppearance(size.width)]) {
    await page.setViewportSize({ ...size, width })
    await page.emulateMedia({ colorScheme: theme })
    const lines = await page.evaluate(runAxe, { rules: RULE_TAGS, width, theme })
    found.push(...lines.map((line) => `${where} ${width} ${theme}: ${line}`))
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(size)
  found.push(...(await horizontalOverflow(page, where)))
  if ((await page.locator('html').getAttribute('lang')) !== LANGUAGE_TAGS['fr-CA']) return found
  return [...found, ...(await englishTexts(page)).map((text) => `${where}: English '${text}'`)]
}
