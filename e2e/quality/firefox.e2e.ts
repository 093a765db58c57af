import type { Browser } from '@playwright/test'
import { ensureFirefox } from '../../scripts/lib/browser.mjs'
import { test as base, expect } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

/**
 * Over BiDi, Playwright's `fill` sets the value as a script of the page would, which React takes for its own doing; what people
 * type comes with an `inputType`. Without this the fields stay empty for the form.
 */
const ANNOUNCE_FILLED_VALUES = `addEventListener('input', ({ inputType, target }) => {
  if (!inputType) target._valueTracker?.setValue('\\0')
}, true)`

// Stock Firefox, which Playwright drives over WebDriver BiDi. Only npm run test:full, which may install a browser, runs these.
const test = base.extend<object, { firefox: Browser }>({
  firefox: [
    async ({ playwright }, use) => {
      const executablePath = await ensureFirefox()
      const browser = await playwright.firefox.launch({ channel: 'moz-firefox', executablePath })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  visitBrowser: async ({ firefox }, use) => use(firefox),
  visit: async ({ visit }, use) =>
    use(async ({ at, ...options } = {}) => {
      const page = await visit(options)
      await page.addInitScript({ content: ANNOUNCE_FILLED_VALUES })
      if (at !== undefined) await page.goto(at)
      return page
    }),
})

test.describe.configure({ mode: 'parallel' })

test('in Firefox two people go from sign-up to the reply @full', async ({ person, product, visit }) => {
  await runHappyPath({ person, product, visit, plate: 'FOXY 115' })
})

test('in Firefox somebody stays signed in without what scripts have stored, and the offline page comes when the server does not answer @full', async ({
  visit,
  person,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/./) // Firefox words what it cannot load in many ways
  const page = await visit({ as: await person(), at: '/dashboard', options: { serviceWorkers: 'allow' } })
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.goto('/dashboard/messages')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Messages')
  expect(await page.evaluate('document.cookie + JSON.stringify([localStorage, sessionStorage])')).not.toMatch(
    /token|[\w-]{43}/,
  )
  await product.kill()
  await page.goto('/dashboard/vehicles')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')
  await product.start()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Vehicles' })).toBeVisible()
})
