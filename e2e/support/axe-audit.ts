import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LANGUAGE_TAGS, LOCALES, type Locale } from '#contract/product.ts'
import { expect, type TestFixtures, test } from './fixtures.ts'
import { englishTexts } from './text-patterns.ts'

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
const HEIGHT = 900

/** How `npm test` looks at the screens of a test. */
const USUAL = {
  desktop: { locale: 'en', appearances: [{ width: DESKTOP_WIDTH, theme: 'light' }] },
  phone: { locale: 'fr-CA', appearances: [{ width: PHONE_WIDTH, theme: 'dark' }] },
} as const satisfies Record<string, { locale: Locale; appearances: Appearance[] }>
/** How `npm run test:full` does: in an order in which one thing changes at a time: a new theme redraws the whole page, which costs as much as axe. */
const ALL_APPEARANCES: Appearance[] = [
  { width: PHONE_WIDTH, theme: 'light' },
  { width: PHONE_WIDTH, theme: 'dark' },
  { width: DESKTOP_WIDTH, theme: 'dark' },
  { width: DESKTOP_WIDTH, theme: 'light' },
]

// axe itself belongs to the package that wraps it: one copy, whichever folder it was installed into
const requireFromPlaywright = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE_SOURCE = readFileSync(requireFromPlaywright.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Reports what is wrong with the page as it is: by every rule of axe in these appearances, and whether it fits their widths.
 * axe's own wrapper opens a tab for every result and hands it half a megabyte; here a document gets axe once.
 *
 * @returns one line a violation, which begins with `where`
 */
async function axeViolations(page: Page, where: string, appearances: readonly Appearance[]): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate('"axe" in globalThis'))) {
    await page.evaluate(AXE_SOURCE)
    await page.evaluate(disableTransitions)
  }
  for (const { width, theme } of appearances) {
    await page.setViewportSize({ width, height: HEIGHT })
    await page.emulateMedia({ colorScheme: theme })
    const lines = await page.evaluate(runAxe, { rules: RULE_TAGS, width, theme })
    found.push(...lines.map((line) => `${where} ${width} ${theme}: ${line}`))
    found.push(...(await horizontalOverflow(page, where, width)))
  }
  await page.setViewportSize({ width: ZOOMED_WIDTH, height: HEIGHT })
  found.push(...(await horizontalOverflow(page, where, ZOOMED_WIDTH)))
  await setFontSize(page, LARGE_FONT_PX)
  found.push(...(await horizontalOverflow(page, `${where} in large fonts`, ZOOMED_WIDTH)))
  await setFontSize(page, USUAL_FONT_PX)
  return found
}

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
  if (innerWidth !== width || !matchMedia(`(prefers-color-scheme: ${theme})`).matches) throw new Error('not there yet')
  const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function horizontalOverflow(page: Page, where: string, width: number): Promise<string[]> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return excess > 0 ? [`${where} ${width}: ${excess} px wider than the screen`] : []
}

/** Looks at the screens of a page, all of them, also after one with violations, and collects the findings. */
function createAudit(page: Page, appearances: readonly Appearance[], found: string[]) {
  const look = async (where: string, shown = appearances) => {
    found.push(...(await axeViolations(page, where, shown)))
    if ((await page.locator('html').getAttribute('lang')) !== LANGUAGE_TAGS['fr-CA']) return
    found.push(...(await englishTexts(page)).map((text) => `${where}: English '${text}'`))
  }
  return {
    /** Looks at the page as it is. */
    check: (where: string) => look(where),
    /** Opens a page, and looks at it when its heading, and whatever else is named, is visible. */
    async checkPage(path: string, wait?: string) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (wait) await expect(page.locator(wait).first()).toBeVisible()
      await look(path)
    },
    /** Opens the menu of a small screen, and looks at it. */
    async checkMenu(path: string) {
      await page.goto(path)
      await page.setViewportSize({ width: PHONE_WIDTH, height: HEIGHT })
      const header = page.getByRole('banner')
      await header.locator('summary, [aria-controls="site-menu"]').click()
      await expect(header.getByRole('link').nth(3)).toBeVisible()
      const themes = new Set(appearances.map(({ theme }) => theme))
      await look(
        `${path} with its menu`,
        [...themes].map((theme) => ({ width: PHONE_WIDTH, theme })),
      )
    },
  }
}

type AuditTest = TestFixtures & {
  locale: Locale
  /** A path in the language of the test. */
  at(path: string): string
  /** Begins to look at the screens of a page. */
  audit(page: Page): ReturnType<typeof createAudit>
}

/**
 * Declares a test that looks at screens, and fails on what is wrong with any: in its usual variant, which `npm test` runs, and, for
 * `npm run test:full`, in every language with all four appearances.
 */
export function auditTest(name: string, usual: keyof typeof USUAL, run: (audited: AuditTest) => Promise<void>) {
  const variants: { locale: Locale; appearances: readonly Appearance[]; tag: string[] }[] = [
    { ...USUAL[usual], tag: [] },
    ...LOCALES.map((locale) => ({ locale, appearances: ALL_APPEARANCES, tag: ['@full'] })),
  ]
  for (const { locale, appearances, tag } of variants)
    test(`${name} (${locale}, ${tag.length > 0 ? 'every appearance' : usual})`, { tag }, async ({
      pageGuard,
      person,
      product,
      visit,
    }) => {
      const found: string[] = []
      await run({
        ...{ pageGuard, person, product, visit, locale },
        at: (path) => localizedPath(path, locale),
        audit: (page) => createAudit(page, appearances, found),
      })
      expect(found).toEqual([])
    })
}
