import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { makeNextRelease } from '../support/next-release.ts'
import { menu, sendForm } from '../support/page-objects.ts'
import type { Product } from '../support/product.ts'

/** Ends the server and starts the next release of it, whose files all have other names. */
async function release(product: Product) {
  const next = makeNextRelease()
  await product.kill()
  await product.start(next.folder)
  return {
    /** Goes back to this release, for the tests after this one. */
    async [Symbol.asyncDispose]() {
      await product.kill()
      next.remove()
      await product.start()
    },
  }
}

const GONE = [
  /^404 GET \/assets\//,
  /Failed to fetch dynamically imported module/,
  /Error loading route module/,
  /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/,
]

/** Records which pages are loaded from the server from now on. */
function recordLoads(page: Page) {
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname)
  })
  return loads
}

/** Waits for what a page loads once it is idle, so that it has it when the server is gone. */
const untilIdle = (page: Page) =>
  page.waitForFunction(`performance.getEntriesByType('resource').some(({ name }) => name.includes('/missing-code'))`)

const isNextRelease = (page: Page) => page.evaluate(`__reactRouterManifest.url.endsWith('-next.js')`)

test('after a release a click ends on its new page, with what was typed', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(...GONE)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const [sending, replying, signingIn] = [
    await visit({ as: sender, at: '/send' }),
    await visit({ as: owner, at: '/dashboard/messages' }),
    await visit({ at: '/login' }),
  ]
  const form = sendForm(sending)
  await form.fill(plate, 'Your tire is flat.')
  const reply = replying.getByLabel('Reply')
  await reply.fill('I am coming')
  const address = signingIn.getByRole('textbox', { name: 'Email' })
  await address.fill(owner.email)
  await Promise.all([sending, replying, signingIn].map(untilIdle))
  await using _ = await release(product)

  const loads = recordLoads(sending)
  await sending.getByRole('link', { name: 'My Vehicles' }).first().click()
  await expect(sending).toHaveURL(/\/dashboard\/vehicles$/)
  await expect(sending.getByRole('heading', { level: 1, name: 'My Vehicles' })).toBeVisible()
  expect(await isNextRelease(sending)).toBe(true)
  expect(loads).toEqual(['/dashboard/vehicles'])
  await sending.goBack()
  await expect(form.plate).toHaveValue(plate)
  await expect(form.message).toHaveValue('Your tire is flat.')

  await menu(replying).link('Notifications').click()
  await expect(replying.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  expect(await isNextRelease(replying)).toBe(true)
  await menu(replying).link('Messages').click()
  await expect(reply).toHaveValue('I am coming')

  // what a page needs for its own button is gone as well
  await signingIn.getByLabel('Password', { exact: true }).fill('Correct-horse-7')
  const reloads = recordLoads(signingIn)
  await signingIn.getByRole('main').getByRole('button', { name: 'Log In' }).click()
  await expect.poll(() => reloads).toEqual(['/login'])
  await expect.poll(() => isNextRelease(signingIn).catch(() => false)).toBe(true)
  await expect(address).toHaveValue(owner.email)
  await signingIn.getByLabel('Password', { exact: true }).fill('Correct-horse-7')
  await signingIn.getByRole('main').getByRole('button', { name: 'Log In' }).click()
  await expect(signingIn.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  expect(reloads).toEqual(['/login'])
})

test('a file that the present release lacks reloads nothing', async ({ visit, person, pageGuard }) => {
  pageGuard.allow(...GONE, /net::ERR_FAILED/)
  const { email } = await person()
  const page = await visit({ at: '/login' })
  await page.route('**/assets/session.client-*.js', (route) => route.abort())
  const loads = recordLoads(page)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Correct-horse-7')
  const button = page.getByRole('main').getByRole('button', { name: 'Log In' })
  await button.click()
  await expect(page.getByText('No connection to PlateNote.')).toBeVisible()
  await button.click()
  await expect(page.getByText('No connection to PlateNote.')).toBeVisible()
  expect(loads).toEqual([])
})
