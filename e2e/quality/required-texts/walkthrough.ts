import type { Locator, Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { sample } from '../../../scripts/lib/sample.mjs'
import { canBeSameInFrench, englishPattern, frenchPattern, type TextValues } from '../../specification/text-patterns.ts'
import { expect, test } from '../../support/fixtures.ts'
import { newPerson, type Person } from '../../support/people.ts'
import type { Product } from '../../support/product.ts'

/** How a text appears on the screen; `data` has no language. */
type Kind = 'text' | 'data' | 'field' | 'button' | 'link' | 'heading' | 'tab' | 'option' | 'placeholder'
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

/** Something that is done to a page. */
type Action = { page: Page; run: () => Promise<unknown> }
/** A step: the actions that lead to a state, and which texts of the requirements it must show. */
export type Step = [how: Action | Action[], ...texts: Text[]]

/** Returns a locator for a text in one language, whose words are given as part of a pattern. */
function locateText(page: Page, kind: Kind, words: string): Locator {
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'u')
  const whole = new RegExp(`^\\s*${words}\\s*$`, 'u')
  // a button may add for screen readers what it is about, and a label that its field is optional
  const first = new RegExp(`^\\s*${words}(?![\\p{L}\\p{N}])`, 'u')
  if (kind === 'text' || kind === 'data') return page.getByText(alone)
  if (kind === 'field') return page.getByLabel(first)
  if (kind === 'option') return page.locator('option').filter({ hasText: whole })
  if (kind === 'placeholder') return page.getByPlaceholder(whole)
  return page.getByRole(kind, { name: kind === 'button' || kind === 'tab' ? first : alone })
}

async function expectText(page: Page, locale: Locale, wanted: Text) {
  const { text, kind, values } =
    typeof wanted === 'string' ? { text: wanted, kind: 'text' as const, values: {} } : wanted
  const ours = locateText(page, kind, englishPattern(text, values))
  if (locale === 'en' || kind === 'data') return expectShown(ours, kind, text)
  const theirs = frenchPattern(text, values)
  expect(theirs, `the French for '${text}'`).not.toBeNull()
  await expectShown(locateText(page, kind, theirs ?? ''), kind, `the French for '${text}'`)
  if (!canBeSameInFrench(text)) await expect(ours, `'${text}' on a French page`).toHaveCount(0)
}

const expectShown = (found: Locator, kind: Kind, what: string) =>
  kind === 'option'
    ? expect(found.first(), what).toBeAttached()
    : expect(found.filter({ visible: true }).first(), what).toBeVisible()

/** Creates the actions of steps in one language; callers give English names, and addresses without `/fr`. */
function pageActions(page: Page, locale: Locale) {
  const action = (run: Action['run']): Action => ({ page, run })
  const locate = (kind: Kind, name: string, among = page.locator('*')) => {
    const words = locale === 'en' ? englishPattern(name) : frenchPattern(name)
    if (words === null) throw new Error(`nothing is called '${name}' in French`)
    return locateText(page, kind, words).and(among).filter({ visible: true }).first()
  }
  const gate = Promise.withResolvers<void>()
  const routed: string[] = []
  return {
    page,
    /** Anything else, such as a helper of other tests. */
    perform: action,
    goto: (path: string) => action(() => page.goto(localizedPath(path, locale))),
    click: (name: string) => action(() => locate('button', name).click()),
    /** Clicks a button in the open dialog; the one that opened it may have the same name. */
    confirmInDialog: (name: string) => action(() => locate('button', name, page.locator('dialog[open] *')).click()),
    clickLink: (name: string) => action(() => locate('link', name).click()),
    openTab: (name: string) => action(() => locate('tab', name).click()),
    /** Ticks the only checkbox of the page. */
    tickCheckbox: action(() => page.getByRole('checkbox').check()),
    fill: (values: TextValues) =>
      action(async () => {
        for (const [name, value] of Object.entries(values)) await locate('field', name).fill(value)
      }),
    /** Selects options by their values, which have no language. */
    select: (values: TextValues) =>
      action(async () => {
        for (const [name, value] of Object.entries(values)) await locate('field', name).selectOption(value)
      }),
    /** Fails these calls from now on: with the given error, or else with a response that is not JSON. */
    failWith: (url: string, refusal?: object) => {
      routed.push(url)
      const response = refusal
        ? { status: 400, json: refusal }
        : { status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }
      return action(() => page.route(url, (route) => route.fulfill(response)))
    },
    /** Delays these calls until `release`. */
    hold: (url: string) => {
      routed.push(url)
      return action(() =>
        page.route(url, async (route) => {
          await gate.promise
          await route.continue()
        }),
      )
    },
    release: action(async () => gate.resolve()),
    /** Removes every route of `failWith` and `hold`. */
    restore: action(async () => {
      for (const url of routed) await page.unroute(url)
    }),
    /** Reloads the page until a text appears that comes by itself, such as the delivery status of an email. */
    reloadUntil: (text: string, values: TextValues = {}) =>
      action(() =>
        expect(async () => {
          await page.reload()
          const words = locale === 'en' ? englishPattern(text, values) : (frenchPattern(text, values) ?? '')
          await expect(locateText(page, 'text', words).filter({ visible: true }).first()).toBeVisible({
            timeout: 2_000,
          })
        }).toPass(),
      ),
  }
}

type StepContext = {
  locale: Locale
  product: Product
  /** Creates somebody with a confirmed account in the language of the run. */
  person(): Promise<Person>
  /** Opens a separate browser; nobody is signed in when `as` is left out. */
  open(as?: Person): Promise<ReturnType<typeof pageActions>>
  /** Allows what the walkthrough causes on purpose, like `PageGuard.allow`. */
  allow(...expected: RegExp[]): void
}

/**
 * Declares a test in each language that takes the steps in order; when sampled, every second day in one of them. In English every
 * text must be there word for word; in French its translation, and never the English text.
 */
export function walkthrough(name: string, steps: (context: StepContext) => Promise<Step[]>) {
  const locales = sample
    .pick(name, sample.runsAll ? LOCALES : LOCALES.flatMap((locale) => [locale, null]))
    .filter((one) => one !== null)
  const details = { annotation: { type: 'sample', description: locales.join(', ') } }
  for (const locale of locales) {
    test(`${name} (${locale})`, details, async ({ visit, product, pageGuard }) => {
      const context: StepContext = {
        locale,
        product,
        allow: pageGuard.allow,
        person: () => newPerson(product, { locale }),
        open: async (as) => pageActions(await visit(as && { as }), locale),
      }
      for (const [how, ...texts] of await steps(context)) {
        const actions = [how].flat()
        for (const { run } of actions) await run()
        const page = actions.at(-1)?.page
        for (const text of texts) if (page) await expectText(page, locale, text)
      }
    })
  }
}
