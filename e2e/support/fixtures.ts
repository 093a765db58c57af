/* oxlint-disable no-empty-pattern -- Playwright reads the names of the fixtures out of the pattern, also when there are none */
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { createPageGuard, type PageGuard } from './page-guards.ts'
import { newPerson, type Person } from './people.ts'
import { type Product, startProduct } from './product.ts'

export { expect }

type VisitOptions = {
  /** Who is signed in; nobody when left out. */
  as?: Person
  /** The page to open at once. */
  at?: string
  options?: BrowserContextOptions
}

type Fixtures = {
  pageGuard: PageGuard
  /** A browser of somebody's own, with one page; none of its storage is shared. */
  visit(visit?: VisitOptions): Promise<Page>
  /** Somebody with a confirmed account. */
  person(options?: Parameters<typeof newPerson>[1]): Promise<Person>
}

/**
 * Every test runs against the real product, one for each worker, and fails on anything a page or the server complains
 * about that it did not announce with `pageGuard.allow`.
 */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: see the head of the file
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
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
  visit: async ({ browser, baseURL, pageGuard }, use) => {
    const opened: Page[] = []
    await use(async ({ as, at, options } = {}) => {
      const context = await browser.newContext({
        baseURL: baseURL ?? '',
        ...(as && { storageState: await as.storageState() }),
        ...options,
      })
      await pageGuard.attach(context)
      const page = await context.newPage()
      opened.push(page)
      if (at !== undefined) await page.goto(at)
      return page
    })
    for (const page of opened) await page.context().close()
  },
  person: async ({ product }, use) => use((options) => newPerson(product, options)),
})

/** For `test.use`: browsers as they are. Playwright by itself keeps them from holding pages for the way back. */
export const withBackForwardCache: Parameters<typeof test.use>[0] = {
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    { scope: 'worker' },
  ],
}
