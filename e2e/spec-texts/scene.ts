import type { Locator, Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { expect, test } from '../fixtures.ts'
import { newPerson, type Person } from '../people.ts'
import type { Product } from '../product.ts'
import { english, french, isSameInFrench, type Values } from './words.ts'

/** How a text is met on the screen; `data` has no language. */
type Kind = 'text' | 'data' | 'field' | 'button' | 'link' | 'heading' | 'tab' | 'option' | 'placeholder'
export type Text = string | { text: string; kind: Kind; values: Values }

const as =
  (kind: Kind) =>
  (text: string, values: Values = {}): Text => ({ text, kind, values })
/** A text with its holes filled. */
export const filled = as('text')
export const data = as('data')
export const field = as('field')
export const button = as('button')
export const link = as('link')
export const heading = as('heading')
export const tab = as('tab')
/** Of a list of choices, which shows it once it is opened. */
export const option = as('option')
export const placeholder = as('placeholder')

/** Something done to a page. */
type Act = { page: Page; carryOut: () => Promise<unknown> }
/** A line of the table: how it comes about, and which texts of the specification can then be read there. */
export type Row = [how: Act | Act[], ...texts: Text[]]

/** Where a text is, or would be, in one language. The words are given as a part of a pattern. */
function place(page: Page, kind: Kind, words: string): Locator {
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u')
  const whole = new RegExp(`^\\s*${words}\\s*$`, 'u')
  // a button may say to screen readers what it is about, and a label that its field can be left out
  const first = new RegExp(`^\\s*${words}(?![\\p{L}\\p{N}])`, 'u')
  if (kind === 'text' || kind === 'data') return page.getByText(alone)
  if (kind === 'field') return page.getByLabel(first)
  if (kind === 'option') return page.locator('option').filter({ hasText: whole })
  if (kind === 'placeholder') return page.getByPlaceholder(whole)
  return page.getByRole(kind, { name: kind === 'button' || kind === 'tab' ? first : alone })
}

async function see(page: Page, locale: Locale, wanted: Text) {
  const { text, kind, values } =
    typeof wanted === 'string' ? { text: wanted, kind: 'text' as const, values: {} } : wanted
  const ours = place(page, kind, english(text, values))
  if (locale === 'en' || kind === 'data') return shown(ours, kind, text)
  const theirs = french(text, values)
  expect(theirs, `the French for '${text}'`).not.toBeNull()
  await shown(place(page, kind, theirs ?? ''), kind, `the French for '${text}'`)
  if (!isSameInFrench(text)) await expect(ours, `'${text}' on a French page`).toHaveCount(0)
}

const shown = (found: Locator, kind: Kind, what: string) =>
  kind === 'option'
    ? expect(found.first(), what).toBeAttached()
    : expect(found.filter({ visible: true }).first(), what).toBeVisible()

/** What rows are made of, in the language of the run: names are the English ones, addresses those without `/fr`. */
function screen(page: Page, locale: Locale) {
  const act = (carryOut: Act['carryOut']): Act => ({ page, carryOut })
  const said = (kind: Kind, name: string, among = page.locator('*')) => {
    const words = locale === 'en' ? english(name) : french(name)
    if (words === null) throw new Error(`nothing is called '${name}' in French`)
    return place(page, kind, words).and(among).filter({ visible: true }).first()
  }
  const gate = Promise.withResolvers<void>()
  const routed: string[] = []
  return {
    page,
    /** What a helper of the other journeys does. */
    does: act,
    at: (path: string) => act(() => page.goto(localizedPath(path, locale))),
    press: (name: string) => act(() => said('button', name).click()),
    /** The button of that name in the open dialog; the one that opened it may have the same. */
    confirm: (name: string) => act(() => said('button', name, page.locator('dialog[open] *')).click()),
    follow: (name: string) => act(() => said('link', name).click()),
    turnTo: (name: string) => act(() => said('tab', name).click()),
    /** The one box there is. */
    tick: act(() => page.getByRole('checkbox').check()),
    type: (values: Values) =>
      act(async () => {
        for (const [name, value] of Object.entries(values)) await said('field', name).fill(value)
      }),
    /** By the values of the options, which have no language. */
    choose: (values: Values) =>
      act(async () => {
        for (const [name, value] of Object.entries(values)) await said('field', name).selectOption(value)
      }),
    /** From now on these calls get a refusal; without one, a fault in words no program understands. */
    fails: (url: string, refusal?: object) => {
      routed.push(url)
      const answer = refusal
        ? { status: 400, json: refusal }
        : { status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }
      return act(() => page.route(url, (route) => route.fulfill(answer)))
    },
    /** From now on these calls wait for `goesOn`. */
    waits: (url: string) => {
      routed.push(url)
      return act(() =>
        page.route(url, async (route) => {
          await gate.promise
          await route.continue()
        }),
      )
    },
    goesOn: act(async () => gate.resolve()),
    /** Ends all that `fails` and `waits` began. */
    mended: act(async () => {
      for (const url of routed) await page.unroute(url)
    }),
    /** Loads the page again until a text is there that comes by itself, such as the fate of a mail. */
    until: (text: string, values: Values = {}) =>
      act(() =>
        expect(async () => {
          await page.reload()
          const words = locale === 'en' ? english(text, values) : (french(text, values) ?? '')
          await expect(place(page, 'text', words).filter({ visible: true }).first()).toBeVisible({ timeout: 2_000 })
        }).toPass(),
      ),
  }
}

type Stage = {
  locale: Locale
  product: Product
  /** Somebody with a confirmed account, who reads in the language of the run. */
  person(): Promise<Person>
  /** A browser of somebody's own; nobody is signed in when left out. */
  open(as?: Person): Promise<ReturnType<typeof screen>>
  /** What the scene brings about on purpose, as `Watch` takes it. */
  allow(...expected: RegExp[]): void
}

/**
 * A test in each language: plays the rows from the first to the last. In English every text must stand there word for
 * word; in French what the product says for it, and never the English one.
 */
export function scene(name: string, rows: (stage: Stage) => Promise<Row[]>) {
  for (const locale of LOCALES) {
    test(`${name} (${locale})`, async ({ visit, product, watch }) => {
      const stage: Stage = {
        locale,
        product,
        allow: watch.allow,
        person: () => newPerson(product, { locale }),
        open: async (as) => screen(await visit(as && { as }), locale),
      }
      for (const [how, ...texts] of await rows(stage)) {
        const acts = [how].flat()
        for (const { carryOut } of acts) await carryOut()
        const page = acts.at(-1)?.page
        for (const text of texts) if (page) await see(page, locale, text)
      }
    })
  }
}
