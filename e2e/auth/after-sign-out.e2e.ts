import type { Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { expect, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'
import { sendForm } from '../support/page-objects.ts'
import { startSlowConnection } from '../support/slow-connection.ts'

const signOutButton = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true })

// leaving a page ends its requests, also the one that ends the session, in a browser without a back/forward cache
test('signing out ends the session on the server, even on a slow connection', async ({ person, visit, product }) => {
  const owner = await person()
  const connection = await startSlowConnection(/\/auth\/v1\/logout/)
  const page = await visit({ as: owner, at: '/dashboard', options: connection.options })
  const countSessions = async () => (await product.db`select from auth.sessions where user_id = ${owner.id}`).length
  const before = await countSessions()
  await signOutButton(page).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect.poll(countSessions).toBe(before - 1)
  connection.stop()
})

test('signing out does not wait for a connection that hangs', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//) // as time is made to pass, the page may read once more before it is left
  const owner = await person()
  const page = await visit({ as: owner })
  await page.clock.install()
  await page.goto('/dashboard')
  await page.route('**/auth/v1/token?*', () => undefined)
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  // the session has to be renewed before a request can end it
  await page.evaluate((key) => {
    const session = JSON.parse(localStorage.getItem(key) ?? '{}')
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 60 }))
  }, SESSION_KEY)
  await signOutButton(page).click()
  await expect(async () => {
    await page.clock.fastForward(6_000) // more than a step waits
    await expect(page).toHaveURL(/:\d+\/$/, { timeout: 500 })
  }).toPass()
  expect(await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)).toBe(null)
})

test('a photo whose upload ends during the sign-out is not there for the next person', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/send' })
  const [arrives, leaves] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/attachments', async (route) => {
    await arrives.promise
    await route.continue()
  })
  await page.route('**/assets/session.client-*.js', async (route) => {
    await leaves.promise
    await route.continue()
  })
  const uploading = page.waitForRequest('**/api/attachments')
  await sendForm(page).photo.setInputFiles(await photo())
  await uploading
  // signing out waits for a slow connection only so long, which a slow machine may exceed
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await signOutButton(page).click()
  const arrived = page.waitForResponse('**/api/attachments')
  arrives.resolve()
  await (await arrived).finished()
  await expect(page.getByText('Uploading')).toHaveCount(0)
  leaves.resolve()
  await expect(page).toHaveURL(/:\d+\/$/)
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('message-attachments')
})
