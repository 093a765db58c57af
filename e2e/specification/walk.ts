import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LANGUAGE_TAGS, LOCALES, type Locale } from '#contract/product.ts'
import { runCommand } from '../../server/src/test/product.ts'
import { expect, testAsInstalled as test } from '../support/fixtures.ts'
import { newAddress, type Person } from '../support/people.ts'
import type { Product } from '../support/product.ts'
import {
  canBeSameInFrench,
  englishPattern,
  englishTexts,
  frenchPattern,
  type TextValues,
} from '../support/text-patterns.ts'

// A walk through the specification in a browser: the product with default settings, and people who signed up a moment ago with the
// link in their email. Nothing is written by SQL and no clock is moved. In English, which `npm test` walks, every text must be there word
// for word; in French, which `npm run test:full` adds, its translation and never the English text, nor any other English text of the product
// (as on every French screen of e2e/quality/a11y). What a call shows is in server/src/test/specification.

export { expect }

/** How a text appears on the screen; `data` has no language. */
type Kind =
  | 'text'
  | 'data'
  | 'field'
  | 'button'
  | 'link'
  | 'heading'
  | 'tab'
  | 'option'
  | 'placeholder'
  | 'alertdialog'
  | 'dialog'
export type Text = string | { text: string; kind: Kind; values: TextValues }

const textOfKind =
  (kind: Kind) =>
  (text: string, values: TextValues = {}): Text => ({ text, kind, values })
/** A text with its placeholders filled in. */
export const filled = textOfKind('text')
export const data = textOfKind('data')
export const field = textOfKind('field')
export const button = textOfKind('button')
export const link = textOfKind('link')
export const heading = textOfKind('heading')
export const tab = textOfKind('tab')
/** An option of a select, which shows it only while it is open. */
export const option = textOfKind('option')
export const placeholder = textOfKind('placeholder')
export const alertdialog = textOfKind('alertdialog')
export const dialog = textOfKind('dialog')

/** Returns a locator for a text in one language, whose words are given as part of a pattern. */
function locateText(within: Page | Locator, kind: Kind, words: string): Locator {
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u')
  const whole = new RegExp(`^\\s*${words}\\s*$`, 'u')
  // a button may add for screen readers what it is about, and a label that its field is optional
  const first = new RegExp(`^\\s*${words}(?![\\p{L}\\p{N}])`, 'u')
  if (kind === 'text' || kind === 'data') return within.getByText(alone)
  if (kind === 'field') return within.getByLabel(first)
  if (kind === 'option') return within.locator('option').filter({ hasText: whole })
  if (kind === 'placeholder') return within.getByPlaceholder(whole)
  return within.getByRole(kind, { name: kind === 'button' || kind === 'tab' ? first : alone })
}

/** What somebody sees and does in one browser; names are given in English, and addresses without `/fr`. */
export type Screen = ReturnType<typeof createScreen>

function createScreen(page: Page, locale: Locale, within: Page | Locator = page) {
  const parts = (wanted: Text) =>
    typeof wanted === 'string' ? { text: wanted, kind: 'text' as const, values: {} } : wanted
  const locate = (wanted: Text): Locator => {
    const { text, kind, values } = parts(wanted)
    const words = locale === 'en' || kind === 'data' ? englishPattern(text, values) : frenchPattern(text, values)
    if (words === null) throw new Error(`'${text}' has no French`)
    return locateText(within, kind, words)
  }
  /** Finds what has this text. */
  const find = (wanted: Text): Locator => locate(wanted).filter({ visible: true }).first()

  /** Expects a text to be there, and on a French page not in English. */
  async function seesOne(wanted: Text) {
    const { text, kind, values } = parts(wanted)
    const what = locale === 'en' ? text : `the French for '${text}'`
    if (kind === 'option') await expect(locate(wanted).first(), what).toBeAttached()
    else await expect(find(wanted), what).toBeVisible()
    if (locale === 'en' || kind === 'data' || canBeSameInFrench(text)) return
    const english = locateText(within, kind, englishPattern(text, values))
    await expect(english, `'${text}' on a French page`).toHaveCount(0)
  }

  const gate = Promise.withResolvers<void>()
  const routed: string[] = []
  return {
    page,
    find,
    /** Finds everything visible that has this text. */
    all: (wanted: Text): Locator => locate(wanted).filter({ visible: true }),
    /** Returns the pattern of a text in the language of the walk. */
    words(text: string): RegExp {
      const words = locale === 'en' ? englishPattern(text) : frenchPattern(text)
      if (words === null) throw new Error(`'${text}' has no French`)
      return new RegExp(`^\\s*${words}\\s*$`, 'u')
    },
    /** The same, within a part of the page. */
    part: (part: Locator) => createScreen(page, locale, part),
    /** The card or row with this text that has no language, such as a plate. */
    item: (text: string) =>
      createScreen(page, locale, page.getByRole('main').locator('article, li, tr').filter({ hasText: text }).first()),
    goto: (path: string) => page.goto(localizedPath(path, locale)),
    /** Opens a page with a fragment, which alone would load nothing. */
    async openLink(path: string) {
      await page.goto('about:blank')
      await page.goto(localizedPath(path, locale))
    },
    /** Expects to be at this address. */
    isAt: (path: string) =>
      expect(page).toHaveURL((url) => url.pathname + url.search + url.hash === localizedPath(path, locale)),
    async sees(...wanted: Text[]) {
      for (const one of wanted) await seesOne(one)
      if (locale === 'en') return
      expect(await englishTexts(page), 'English on a French page').toEqual([])
    },
    async misses(...wanted: Text[]) {
      for (const one of wanted) await expect(locate(one).filter({ visible: true }), JSON.stringify(one)).toHaveCount(0)
    },
    click: (name: string) => find(button(name)).click(),
    follow: (name: string) => find(link(name)).click(),
    openTab: (name: string) => find(tab(name)).click(),
    /** Clicks a button in the open dialog; the one that opened it may have the same name. */
    confirm: (name: string) => createScreen(page, locale, page.locator('dialog[open]')).click(name),
    /** Ticks the only checkbox of the page. */
    tick: () => page.getByRole('checkbox').check(),
    async fill(values: TextValues) {
      for (const [name, value] of Object.entries(values)) await find(field(name)).fill(value)
    },
    /** Selects options by their values, which have no language. */
    async select(values: TextValues) {
      for (const [name, value] of Object.entries(values)) await find(field(name)).selectOption(value)
    },
    /** Expects a link to lead somewhere. */
    leads: (name: string, path: string) =>
      expect(find(link(name)), name).toHaveAttribute('href', localizedPath(path, locale)),
    /** Fails these calls until `restore`: with the given error, or else with a response that is not JSON. */
    failWith(url: string, refusal?: object) {
      routed.push(url)
      const response = refusal
        ? { status: 400, json: refusal }
        : { status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }
      return page.route(url, (route) => route.fulfill(response))
    },
    /** Delays these calls until `release`. */
    hold(url: string) {
      routed.push(url)
      return page.route(url, async (route) => {
        await gate.promise
        await route.continue()
      })
    },
    release: () => gate.resolve(),
    /** Removes every route of `failWith` and `hold`. */
    async restore() {
      for (const url of routed) await page.unroute(url)
    },
  }
}

export type Walk = {
  locale: Locale
  product: Product
  /** Opens a separate browser at an address of its own; nobody is signed in when `as` is left out. */
  open(as?: Person, options?: BrowserContextOptions): Promise<Screen>
  /** Signs somebody up with the calls of the screens, which the walk of §2 takes. */
  person(fullName?: string): Promise<Person>
  /** Makes somebody an admin by the command on the server, and confirms their session by the second factor that it then needs. */
  admin(): Promise<Person>
  /** Allows what the walk causes on purpose, like `PageGuard.allow`. */
  allow(...expected: RegExp[]): void
}

/** Makes somebody an admin as an operator does. */
export async function grantByCommand({ env }: Product, { email }: Pick<Person, 'email'>) {
  const { code, err } = await runCommand('admin', ['grant', email], env)
  expect(code, err).toBe(0)
}

/** Declares a part of the walk in each language. */
export function walk(title: string, steps: (walk: Walk) => Promise<void>) {
  for (const locale of LOCALES) {
    const tag = locale === 'en' ? [] : ['@full']
    test(`${title} (${locale})`, { tag }, async ({ visit, product, pageGuard, person: newPerson }) => {
      const person = (fullName?: string) => newPerson({ locale, ...(fullName && { fullName }) })
      await steps({
        locale,
        product,
        allow: pageGuard.allow,
        person,
        open: async (as, options) =>
          createScreen(
            await visit({
              ...(as && { as }),
              options: {
                ...(as && { storageState: await as.storageState() }),
                locale: LANGUAGE_TAGS[locale],
                extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
                ...options,
              },
            }),
            locale,
          ),
        async admin() {
          const admin = await person('Robin Admin')
          await grantByCommand(product, admin)
          await admin.confirmWithApp()
          return admin
        },
      })
    })
  }
}
