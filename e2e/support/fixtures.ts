/* oxlint-disable no-empty-pattern -- Playwright reads the names of the fixtures out of the pattern, also when there are none */
import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test'
import type { Locale } from '#contract/product.ts'
import { auditScreen } from './axe-audit.ts'
import { createPageGuard, type PageGuard } from './page-guards.ts'
import { newAddress, newPerson, type Person } from './people.ts'
import { type Product, startProduct } from './product.ts'
import { type Translation, translatePages, untranslated } from './translation.ts'

export { expect }

type VisitOptions = {
  /** Who is signed in; nobody when left out. */
  as?: Person
  /** The language they have chosen in this browser; that of `at` when it is left out, and 'account' for the account's own. */
  language?: Locale | 'account'
  /** The page to open at once. */
  at?: string
  options?: BrowserContextOptions
}

type Fixtures = {
  pageGuard: PageGuard
  /** How the pages of `visit` are translated; 'none', unless `test.use` says otherwise. */
  translation: Translation | 'none'
  /** Where `visit` opens its pages: Chromium's headless shell, unless a file says `test.use(inFullBrowser)`. */
  visitBrowser: Browser
  /** Looks at what a page shows now, and fails the test in the end on whatever is wrong with it. */
  audit(page: Page, where: string): Promise<void>
  /** Opens a separate browser with one page; none of its storage is shared. */
  visit(visit?: VisitOptions): Promise<Page>
  /** Creates somebody with a confirmed account. */
  person(options?: Parameters<typeof newPerson>[1]): Promise<Person>
}

type Settings = Parameters<typeof startProduct>[0]

type WorkerFixtures = {
  /** What the product is started with; undefined: as the tests of single features need it. */
  settings: Settings
  product: Product
  /** The whole browser, with its back-forward cache, which Playwright otherwise switches off. */
  fullBrowser: Browser
}

/** What a test declared by a function gets. */
export type TestFixtures = Pick<Fixtures, 'audit' | 'pageGuard' | 'person' | 'visit'> & Pick<WorkerFixtures, 'product'>

/** The screen of tests marked with `@phone`: dark, so that both themes are looked at. */
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' as const }
const isPhoneTest = ({ tags }: TestInfo) => tags.includes('@phone')

/**
 * Runs every test against the real product, one for each worker. A test fails on anything a page or the server complains
 * about that it has not allowed with `pageGuard.allow`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [undefined, { option: true, scope: 'worker' }],
  product: [
    async ({ settings }, use) => {
      const product = await startProduct(settings)
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  fullBrowser: [
    async ({ playwright, launchOptions }, use) => {
      const browser = await playwright.chromium.launch({
        ...launchOptions,
        executablePath: process.env['CHROMIUM_PATH'],
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  visitBrowser: async ({ browser }, use) => use(browser),
  translation: ['none', { option: true }],
  viewport: async ({ viewport }, use, info) => use(isPhoneTest(info) ? PHONE.viewport : viewport),
  isMobile: async ({ isMobile }, use, info) => use(isPhoneTest(info) ? PHONE.isMobile : isMobile),
  colorScheme: async ({ colorScheme }, use, info) => use(isPhoneTest(info) ? PHONE.colorScheme : colorScheme),
  hasTouch: async ({ hasTouch }, use, info) => use(isPhoneTest(info) ? PHONE.hasTouch : hasTouch),
  baseURL: async ({ product }, use) => use(product.url),
  pageGuard: [
    async ({ product }, use) => {
      const pageGuard = createPageGuard()
      product.drainErrorLog()
      await use(pageGuard)
      expect.soft(pageGuard.problems(), 'what the pages complained about').toEqual([])
      expect.soft(product.drainErrorLog(), 'what the server complained about').toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, pageGuard }, use) => {
    await pageGuard.attach(context)
    await use(context)
  },
  visit: async ({ visitBrowser, baseURL, pageGuard, translation }, use) => {
    const opened: { page: Page; mistaken: string[] }[] = []
    await use(async ({ as, at, language = at?.startsWith('/fr/') ? 'fr-CA' : undefined, options } = {}) => {
      const context = await visitBrowser.newContext({
        baseURL: baseURL ?? '',
        ...(as && { storageState: await as.storageState({ language }) }),
        ...options,
      })
      await pageGuard.attach(context)
      context.on('page', readApart)
      const page = await context.newPage()
      opened.push({ page, mistaken: translation === 'none' ? [] : await translatePages(page, translation) })
      if (at !== undefined) await page.goto(at)
      return page
    })
    for (const { page, mistaken } of opened) {
      if (translation !== 'none') expect.soft([...(await untranslated(page)), ...mistaken], page.url()).toEqual([])
      await page.context().close()
    }
  },
  person: async ({ product }, use) => use((options) => newPerson(product, options)),
  // biome-ignore lint/correctness/noEmptyPattern: see the head of the file
  audit: async ({}, use) => {
    const found: string[] = []
    await use(async (page, where) => void found.push(...(await auditScreen(page, where))))
    expect(found).toEqual([])
  },
})

/** Keeps what a test answers or holds itself out of the request for the session, which reads along what the page shows first. */
function readApart(page: Page) {
  const route = page.route.bind(page)
  let isApart = false
  page.route = async (url, ...rest) => {
    const pattern = typeof url === 'string' ? url : url instanceof RegExp ? url.source.replaceAll('\\', '') : ''
    if (!isApart && /\/api\/|\/auth\/v1\/user/.test(pattern)) {
      isApart = true
      await route('**/auth/v1/session', (asked) =>
        asked.continue({ postData: { ...(asked.request().postDataJSON() as object), first: [] } }),
      )
    }
    return route(url, ...rest)
  }
}

/** The product with default settings, behind a proxy that names its clients, as most installations are; each person has an address. */
export const testAsInstalled = test.extend<object, { settings: Settings }>({
  settings: [{ TRUST_PROXY: 'loopback' }, { scope: 'worker' }],
  person: async ({ product }, use) => use((options) => newPerson(product, { address: newAddress(), ...options })),
})

/** For `test.use`: notifications and the back-forward cache, which the headless shell does not have. */
export const inFullBrowser: Parameters<typeof test.use>[0] = {
  visitBrowser: async ({ fullBrowser }, use) => use(fullBrowser),
}
