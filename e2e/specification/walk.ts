import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { runCommand } from '../../server/src/test/product.ts'
import { expect, type TestFixtures, testAsInstalled as test } from '../support/fixtures.ts'
import { newAddress, type Person } from '../support/people.ts'
import type { Product } from '../support/product.ts'

// A walk through the specification in a browser: the product with default settings, and people who signed up a moment ago with the
// link in their email. Nothing is written by SQL and no clock is moved. Every text must be there word for word; French has tests of its own,
// and no English text on any French screen that is audited. What a call shows is in server/src/test/specification.

export { expect }

type TextValues = Record<string, string>

/**
 * Returns the pattern of a text with its placeholders filled in: any white space matches a space, and either apostrophe the other, because
 * the requirements have straight ones and the product typographic ones.
 */
const toPattern = (text: string, values: TextValues) =>
  text
    .replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    // escaped, because Playwright takes a quote within the pattern of a role's name for the beginning of a text
    .replaceAll(/['’]/g, '[\\x27\\u2019]')
    .replaceAll(/\s+/g, '\\s+')

/** How a text appears on the screen. */
type Kind =
  | 'text'
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

/** Returns a locator for a text, whose words are given as part of a pattern. */
function locateText(within: Page | Locator, kind: Kind, words: string): Locator {
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u')
  const whole = new RegExp(`^\\s*${words}\\s*$`, 'u')
  // a button may add for screen readers what it is about, and a label that its field is optional
  const first = new RegExp(`^\\s*${words}(?![\\p{L}\\p{N}])`, 'u')
  if (kind === 'text') return within.getByText(alone)
  if (kind === 'field') return within.getByLabel(first)
  if (kind === 'option') return within.locator('option').filter({ hasText: whole })
  if (kind === 'placeholder') return within.getByPlaceholder(whole)
  return within.getByRole(kind, { name: kind === 'button' || kind === 'tab' ? first : alone })
}

/** What somebody sees and does in one browser. */
export type Screen = ReturnType<typeof createScreen>

function createScreen(page: Page, within: Page | Locator = page) {
  const locate = (wanted: Text): Locator => {
    const { text, kind, values } =
      typeof wanted === 'string' ? { text: wanted, kind: 'text' as const, values: {} } : wanted
    return locateText(within, kind, toPattern(text, values))
  }
  /** Finds what has this text. */
  const find = (wanted: Text): Locator => locate(wanted).filter({ visible: true }).first()

  const gate = Promise.withResolvers<void>()
  const routed: string[] = []
  return {
    page,
    find,
    /** Finds everything visible that has this text. */
    all: (wanted: Text): Locator => locate(wanted).filter({ visible: true }),
    /** The same, within a part of the page. */
    part: (part: Locator) => createScreen(page, part),
    /** The card or row with this text. */
    item: (text: string) =>
      createScreen(page, page.getByRole('main').locator('article, li, tr').filter({ hasText: text }).first()),
    goto: (path: string) => page.goto(path),
    /** Opens a page with a fragment, which alone would load nothing. */
    async openLink(path: string) {
      await page.goto('about:blank')
      await page.goto(path)
    },
    /** Expects to be at this address. */
    isAt: (path: string) => expect(page).toHaveURL((url) => url.pathname + url.search + url.hash === path),
    async sees(...wanted: Text[]) {
      for (const one of wanted) {
        // a select shows its options only while it is open
        if (typeof one !== 'string' && one.kind === 'option') await expect(locate(one).first()).toBeAttached()
        else await expect(find(one), JSON.stringify(one)).toBeVisible()
      }
    },
    async misses(...wanted: Text[]) {
      for (const one of wanted) await expect(locate(one).filter({ visible: true }), JSON.stringify(one)).toHaveCount(0)
    },
    click: (name: string) => find(button(name)).click(),
    follow: (name: string) => find(link(name)).click(),
    openTab: (name: string) => find(tab(name)).click(),
    /** Clicks a button in the open dialog; the one that opened it may have the same name. */
    confirm: (name: string) => createScreen(page, page.locator('dialog[open]')).click(name),
    /** Ticks the only checkbox of the page. */
    tick: () => page.getByRole('checkbox').check(),
    async fill(values: TextValues) {
      for (const [name, value] of Object.entries(values)) await find(field(name)).fill(value)
    },
    /** Selects options by their values. */
    async select(values: TextValues) {
      for (const [name, value] of Object.entries(values)) await find(field(name)).selectOption(value)
    },
    /** Expects a link to lead somewhere. */
    leads: (name: string, path: string) => expect(find(link(name)), name).toHaveAttribute('href', path),
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

type Walk = Pick<TestFixtures, 'audit' | 'person' | 'product'> & {
  /** Opens a separate browser at an address of its own; nobody is signed in when `as` is left out. */
  open(as?: Person, options?: BrowserContextOptions): Promise<Screen>
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

/** Declares a part of the walk. */
export function walk(title: string, steps: (walk: Walk) => Promise<void>) {
  test(title, ({ audit, visit, product, pageGuard, person }) =>
    steps({
      audit,
      product,
      person,
      allow: pageGuard.allow,
      open: async (as, options) =>
        createScreen(
          await visit({
            ...(as && { as }),
            options: { extraHTTPHeaders: { 'x-forwarded-for': newAddress() }, ...options },
          }),
        ),
      async admin() {
        const admin = await person({ fullName: 'Robin Admin' })
        await grantByCommand(product, admin)
        await admin.confirmWithApp()
        return admin
      },
    }),
  )
}
