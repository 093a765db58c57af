import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from '@playwright/test'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { englishTexts } from './texts.ts'

/** The part of axe that is used here, as it is in the page. */
declare const axe: {
  run(
    context: Document,
    options: { runOnly: string[]; resultTypes: ['violations'] },
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
/** At that width as narrow as 'very large' (24 px in place of 16, in Chromium's settings) is on a phone: no other width is needed. */
const LARGE_FONT_PX = 20
const USUAL_FONT_PX = 16

/** How `npm run test:full` shows a screen, in an order in which one thing changes at a time: a new theme redraws the whole page, which costs as much as axe. */
const ALL_APPEARANCES: Appearance[] = [
  { width: PHONE_WIDTH, theme: 'light' },
  { width: PHONE_WIDTH, theme: 'dark' },
  { width: DESKTOP_WIDTH, theme: 'dark' },
  { width: DESKTOP_WIDTH, theme: 'light' },
]
/** How `npm test` does: as the page is, in the dark on a phone. */
const usualAppearance = (width: number): Appearance => ({ width, theme: width <= PHONE_WIDTH ? 'dark' : 'light' })

// axe itself belongs to the package that wraps it: one copy, whichever folder it was installed into
const requireFromPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE_SOURCE = readFileSync(requireFromPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** Sets the size of fonts that a person has chosen in the browser. */
async function setFontSize(page: Page, standard: number) {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  await (await session).send('Page.setFontSizes', { fontSizes: { standard } })
  // the page may learn of it after the answer
  await page.waitForFunction((size) => getComputedStyle(document.documentElement).fontSize === size, `${standard}px`)
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
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function horizontalOverflow(page: Page, where: string, width: number): Promise<string[]> {
  // not innerWidth, which on a phone grows with what is too wide
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return excess > 0 ? [`${where} ${width}: ${excess} px wider than the screen`] : []
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
    await page.evaluate(AXE_SOURCE)
    await page.evaluate(disableTransitions)
  }
  for (const { width, theme } of process.env['TEST_FULL'] === '1' ? ALL_APPEARANCES : [usualAppearance(size.width)]) {
    await page.setViewportSize({ ...size, width })
    await page.emulateMedia({ colorScheme: theme })
    const lines = await page.evaluate(runAxe, { rules: RULE_TAGS, width, theme })
    found.push(...lines.map((line) => `${where} ${width} ${theme}: ${line}`))
    found.push(...(await horizontalOverflow(page, where, width)))
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ ...size, width: ZOOMED_WIDTH })
  found.push(...(await horizontalOverflow(page, where, ZOOMED_WIDTH)))
  await setFontSize(page, LARGE_FONT_PX)
  found.push(...(await horizontalOverflow(page, `${where} in large fonts`, ZOOMED_WIDTH)))
  await setFontSize(page, USUAL_FONT_PX)
  await page.setViewportSize(size)
  if ((await page.locator('html').getAttribute('lang')) !== LANGUAGE_TAGS['fr-CA']) return found
  return [...found, ...(await englishTexts(page)).map((text) => `${where}: English '${text}'`)]
}
