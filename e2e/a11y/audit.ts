import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { expect } from '../fixtures.ts'

/** What of axe is used here, as it stands in the page. */
declare const axe: {
  run(
    context: Document,
    options: { runOnly: string[]; resultTypes: ['violations'] },
  ): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }>
}

/** WCAG 2.2 at level AA, whose levels and versions axe names one by one, and good practice besides. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
type Theme = 'light' | 'dark'

export const PHONE = 390
export const DESK = 1440
/** At a width of 1280 and a zoom of 400 %, a page is read without scrolling sideways (WCAG 1.4.10). */
const ZOOMED = 320
const HEIGHT = 900

// axe itself belongs to the package that wraps it: one copy, whichever folder it was installed into
const nearPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE = readFileSync(nearPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What is wrong with the page as it is: every rule of axe, at both widths and in both themes, and whether it fits three.
 * axe's own wrapper opens a tab for every answer and hands it half a megabyte; here a document gets axe once.
 *
 * @returns one line a violation; `where` begins it
 */
export async function violations(page: Page, where: string, widths = [PHONE, DESK]): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate('"axe" in globalThis'))) {
    await page.evaluate(AXE)
    await page.evaluate(stopTransitions)
  }
  // forth and back: a new theme draws the whole page anew, which costs as much as asking
  const themes: Theme[] = ['light', 'dark']
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      const lines = await page.evaluate(askAxe, { rules: RULES, width, theme })
      found.push(...lines.map((line) => `${where} ${width} ${theme}: ${line}`))
    }
    themes.reverse()
    found.push(...(await overflow(page, where, width)))
  }
  await page.setViewportSize({ width: ZOOMED, height: HEIGHT })
  found.push(...(await overflow(page, where, ZOOMED)))
  return found
}

/** Runs in the page: a colour on its way from one theme to the other is neither's, and each child waits for its parent's. */
function stopTransitions() {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(still)
}

/** Runs in the page. What axe reads is worked out for this width and theme there and then: no frame needs to be drawn. */
async function askAxe({ rules, width, theme }: { rules: string[]; width: number; theme: Theme }): Promise<string[]> {
  if (innerWidth !== width || !matchMedia(`(prefers-color-scheme: ${theme})`).matches) throw new Error('not there yet')
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function overflow(page: Page, where: string, width: number): Promise<string[]> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return wider > 0 ? [`${where} ${width}: ${wider} px wider than the screen`] : []
}

/** A path in a language. */
export const pathIn = (locale: Locale) => (path: string) => localizedPath(path, locale)

/** One test's findings: every screen is looked at, also after one that has faults. */
export function audit(page: Page) {
  const found: string[] = []
  return {
    /** Looks at the page as it is. */
    async look(where: string, widths?: number[]) {
      found.push(...(await violations(page, where, widths)))
    },
    /** Opens a page, and looks at it when its heading, and what else is named, is there. */
    async open(path: string, wait?: string) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (wait) await expect(page.locator(wait).first()).toBeVisible()
      found.push(...(await violations(page, path)))
    },
    /** Opens the menu of a small screen, and looks at it. */
    async menu(path: string) {
      await page.goto(path)
      await page.setViewportSize({ width: PHONE, height: HEIGHT })
      const header = page.getByRole('banner')
      await header.locator('summary, [aria-controls="site-menu"]').click()
      await expect(header.getByRole('link').nth(3)).toBeVisible()
      found.push(...(await violations(page, `${path} with its menu`, [PHONE])))
    },
    nothing: () => expect(found).toEqual([]),
  }
}
