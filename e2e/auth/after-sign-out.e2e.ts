import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'
import { sendForm, sessionToken } from '../support/page-objects.ts'
import { startSlowConnection } from '../support/slow-connection.ts'

const signOutButton = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true })

// leaving a page ends its requests, also the one that ends the session, in a browser without a back/forward cache
test('signing out ends the session on the server, even on a slow connection', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_PROXY_CONNECTION_FAILED/) // the next page asks for the same, until the test ends
  pageGuard.allow(/^401 GET \/api\//) // what the page was just loading when its session ended
  const owner = await person()
  const connection = await startSlowConnection(/\/auth\/v1\/session\/end/)
  const page = await visit({ as: owner, at: '/dashboard', options: connection.options })
  const countSessions = async () => (await product.db`select from auth.sessions where user_id = ${owner.id}`).length
  const before = await countSessions()
  await signOutButton(page).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect.poll(countSessions).toBe(before - 1)
  await expect.poll(() => page.context().cookies()).toEqual([])
  connection.stop()
})

test('signing out does not wait for a connection that hangs', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//) // as time is made to pass, the page may read once more before it is left
  const owner = await person()
  const page = await visit({ as: owner })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  await page.route('**/auth/v1/session/end', () => undefined)
  await signOutButton(page).click()
  await expect(async () => {
    await page.clock.fastForward(6_000) // more than a step waits
    await expect(page).toHaveURL(/:\d+\/$/, { timeout: 500 })
  }).toPass()
  await page.unroute('**/auth/v1/session/end')
  await page.goto('/about-us')
  await expect.poll(() => sessionToken(page)).toBe(undefined)
})

test('a photo whose upload ends during the sign-out is not there for the next person', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/send' })
  const arrives = Promise.withResolvers<void>()
  await page.route('**/api/attachments', async (route) => {
    await arrives.promise
    await route.continue()
  })
  // the browser takes a while to end notifications
  await page.evaluate(() => {
    for (const name of ['PushManager', 'Notification'])
      if (!(name in window)) Object.assign(window, { [name]: class {} })
    navigator.serviceWorker.getRegistration = () =>
      new Promise((done) => addEventListener('leave', () => done(undefined)))
  })
  const uploading = page.waitForRequest('**/api/attachments')
  await sendForm(page).photo.setInputFiles(await photo())
  await uploading
  // signing out waits for that only so long, which a slow machine may exceed
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await signOutButton(page).click()
  const arrived = page.waitForResponse('**/api/attachments')
  arrives.resolve()
  await (await arrived).finished()
  await expect(page.getByText('Uploading')).toHaveCount(0)
  await page.evaluate(`dispatchEvent(new Event('leave'))`)
  await expect(page).toHaveURL(/:\d+\/$/)
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('message-attachments')
})
