import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { expect } from './fixtures.ts'

/** What of axe is used here, as it stands in the page. */
declare const axe: {
  run(
    context: Document,
    options: { runOnly: string[]; resultTypes: ['violations'] },
  ): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }>
}

/** WCAG 2.2 at level AA, whose levels and versions axe names one by one, and good practice besides. */
const RULE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
type Theme = 'light' | 'dark'

export const PHONE_WIDTH = 390
export const DESKTOP_WIDTH = 1440
/** At a width of 1280 and a zoom of 400 %, a page is read without scrolling sideways (WCAG 1.4.10). */
const ZOOMED_WIDTH = 320
const HEIGHT = 900

// axe itself belongs to the package that wraps it: one copy, whichever folder it was installed into
const requireFromPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE_SOURCE = readFileSync(requireFromPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What is wrong with the page as it is: every rule of axe, at both widths and in both themes, and whether it fits three.
 * axe's own wrapper opens a tab for every answer and hands it half a megabyte; here a document gets axe once.
 *
 * @returns one line a violation; `where` begins it
 */
export async function axeViolations(
  page: Page,
  where: string,
  widths = [PHONE_WIDTH, DESKTOP_WIDTH],
): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate('"axe" in globalThis'))) {
    await page.evaluate(AXE_SOURCE)
    await page.evaluate(disableTransitions)
  }
  // forth and back: a new theme draws the whole page anew, which costs as much as asking
  const themes: Theme[] = ['light', 'dark']
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      const lines = await page.evaluate(runAxe, { rules: RULE_TAGS, width, theme })
      found.push(...lines.map((line) => `${where} ${width} ${theme}: ${line}`))
    }
    themes.reverse()
    found.push(...(await horizontalOverflow(page, where, width)))
  }
  await page.setViewportSize({ width: ZOOMED_WIDTH, height: HEIGHT })
  found.push(...(await horizontalOverflow(page, where, ZOOMED_WIDTH)))
  return found
}

/** Runs in the page: a colour on its way from one theme to the other is neither's, and each child waits for its parent's. */
function disableTransitions() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** Runs in the page. What axe reads is worked out for this width and theme there and then: no frame needs to be drawn. */
async function runAxe({ rules, width, theme }: { rules: string[]; width: number; theme: Theme }): Promise<string[]> {
  if (innerWidth !== width || !matchMedia(`(prefers-color-scheme: ${theme})`).matches) throw new Error('not there yet')
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function horizontalOverflow(page: Page, where: string, width: number): Promise<string[]> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return excess > 0 ? [`${where} ${width}: ${excess} px wider than the screen`] : []
}

/** A path in a language. */
export const pathFor = (locale: Locale) => (path: string) => localizedPath(path, locale)

/** One test's findings: every screen is looked at, also after one that has violations. */
export function audit(page: Page) {
  const found: string[] = []
  return {
    /** Looks at the page as it is. */
    async check(where: string, widths?: number[]) {
      found.push(...(await axeViolations(page, where, widths)))
    },
    /** Opens a page, and looks at it when its heading, and what else is named, is there. */
    async checkPage(path: string, wait?: string) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (wait) await expect(page.locator(wait).first()).toBeVisible()
      found.push(...(await axeViolations(page, path)))
    },
    /** Opens the menu of a small screen, and looks at it. */
    async checkMenu(path: string) {
      await page.goto(path)
      await page.setViewportSize({ width: PHONE_WIDTH, height: HEIGHT })
      const header = page.getByRole('banner')
      await header.locator('summary, [aria-controls="site-menu"]').click()
      await expect(header.getByRole('link').nth(3)).toBeVisible()
      found.push(...(await axeViolations(page, `${path} with its menu`, [PHONE_WIDTH])))
    },
    expectNoViolations: () => expect(found).toEqual([]),
  }
}
