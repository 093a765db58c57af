import type { Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'
import { logIn, sendForm } from '../support/page-objects.ts'

test.use(inFullBrowser)

const signOutButton = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true })

test('nothing of who has signed out is shown, by Back or to who signs in on a page that outlived the sign-out', async ({
  person,
  visit,
}) => {
  const [owner, sender, next] = [await person(), await person(), await person({ fullName: 'Next One' })]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const page = await visit({ as: owner, at: '/dashboard/messages?view=received' })
  await expect(page.getByRole('article')).toContainText('Your lights are on.')
  const tab = await page.context().newPage()
  await tab.goto('/dashboard/messages?view=received')
  await expect(tab.getByRole('article')).toContainText('Your lights are on.')
  await page.getByRole('link', { name: 'PlateNote' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await signOutButton(tab).click()
  await expect(tab).toHaveURL(/:\d+\/$/)
  await tab.goBack({ waitUntil: 'commit' })
  await expect(tab).toHaveURL(/\/login\?next=/)
  await expect(tab.getByText('Your lights are on.')).toHaveCount(0)
  await tab.close()

  await page.route('**/api/messages?*', () => undefined) // whatever is shown now was cached
  await page.getByRole('banner').getByRole('link', { name: 'Log In' }).click()
  await logIn(page, next.email)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { name: 'Hello, Next' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Messages' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Received' })).toBeVisible()
  await expect(page.getByText('Your lights are on.')).toHaveCount(0)
})

test('signing out does not wait for a connection that hangs', async ({ person, visit }) => {
  const owner = await person()
  for (const hanging of ['**/assets/session.client-*.js', '**/auth/v1/token?*']) {
    const page = await visit({ as: owner })
    await page.clock.install()
    await page.goto('/dashboard')
    await page.route(hanging, () => undefined)
    await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
    // the session has to be renewed before a request can end it
    await page.evaluate((key) => {
      const session = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 60 }))
    }, SESSION_KEY)
    await signOutButton(page).click()
    await expect(async () => {
      await page.clock.fastForward(6_000) // more than a step waits
      await expect(page, hanging).toHaveURL(/:\d+\/$/, { timeout: 500 })
    }).toPass()
    expect(await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)).toBe(null)
  }
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
  await page.clock.pauseAt(Date.now() + 1_000)
  await signOutButton(page).click()
  const arrived = page.waitForResponse('**/api/attachments')
  arrives.resolve()
  await (await arrived).finished()
  await expect(page.getByText('Uploading')).toHaveCount(0)
  leaves.resolve()
  await expect(page).toHaveURL(/:\d+\/$/)
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('message-attachments')
})

test('a page left by signing out works again when the browser restores it', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//) // here the page goes on, and may read once more when its live stream opens
  const owner = await person()
  const page = await visit({ as: owner, at: '/dashboard/vehicles' })
  // the page stays, as in a back-forward cache
  const left = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        navigation.addEventListener('navigate', (event) => {
          if (new URL(event.destination.url).pathname !== '/') return
          event.preventDefault()
          resolve()
        })
      }),
  )
  await signOutButton(page).click()
  await left
  expect(await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)).toBe(null)
  const [item] = (await owner.storageState()).origins[0]?.localStorage ?? []
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [SESSION_KEY, item?.value ?? ''] as const)
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await expect(page.getByText('No vehicles yet')).toBeVisible()
  await signOutButton(page).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})
