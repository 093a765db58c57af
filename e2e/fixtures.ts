/* oxlint-disable no-empty-pattern -- Playwright reads the names of the fixtures out of the pattern, also when there are none */
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { newPerson, type Person } from './people.ts'
import { type Product, startProduct } from './product.ts'
import { type Watch, watchPages } from './watch.ts'

export { expect }

type Visit = {
  /** Who is signed in; nobody when left out. */
  as?: Person
  /** The page to open at once. */
  at?: string
  options?: BrowserContextOptions
}

type Tools = {
  watch: Watch
  /** A browser of somebody's own, with one page; none of its storage is shared. */
  visit(visit?: Visit): Promise<Page>
  /** Somebody with a confirmed account. */
  person(wish?: Parameters<typeof newPerson>[1]): Promise<Person>
}

/**
 * Every test runs against the real product, one for each worker, and fails on anything a page or the server complains
 * about that it did not announce with `watch.allow`.
 */
export const test = base.extend<Tools, { product: Product }>({
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
  watch: [
    async ({ product }, use) => {
      const watch = watchPages()
      product.takeComplaints()
      await use(watch)
      expect.soft(watch.offences(), 'what the pages complained about').toEqual([])
      expect.soft(product.takeComplaints(), 'what the server complained about').toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, watch }, use) => {
    await watch.over(context)
    await use(context)
  },
  visit: async ({ browser, baseURL, watch }, use) => {
    const opened: Page[] = []
    await use(async ({ as, at, options } = {}) => {
      const context = await browser.newContext({
        baseURL: baseURL ?? '',
        ...(as && { storageState: await as.storage() }),
        ...options,
      })
      await watch.over(context)
      const page = await context.newPage()
      opened.push(page)
      if (at !== undefined) await page.goto(at)
      return page
    })
    for (const page of opened) await page.context().close()
  },
  person: async ({ product }, use) => use((wish) => newPerson(product, wish)),
})

/** For `test.use`: browsers as they are. Playwright by itself keeps them from holding pages for the way back. */
export const withBackForwardCache: Parameters<typeof test.use>[0] = {
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    { scope: 'worker' },
  ],
}
