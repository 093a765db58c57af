import type { Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { grantAdmin, revokeAdminAt, signInAsAdmin } from '../support/admins.ts'
import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'
import { logIn, sendForm } from '../support/page-objects.ts'

test.use(inFullBrowser)

const signOutButton = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true })

test('going back after signing out does not show what was being read', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const page = await visit({ as: owner, at: '/dashboard/messages?view=received' })
  await expect(page.getByRole('article')).toContainText('Your lights are on.')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByText('Your lights are on.')).toHaveCount(0)
})

test('an admin who signs in next does not see the previous admin’s data', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 (GET|POST) \/(api\/admin|rest)\//)
  const [former, next] = [await grantAdmin(product, await person()), await grantAdmin(product, await person())]
  const page = await visit({ as: former, at: '/admin/profile' })
  const choice = page.getByRole('combobox', { name: 'Language' })
  await expect(choice).toHaveValue('en')
  await revokeAdminAt(page, product, former, (request) => request.url().endsWith('/get_users'))
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL(/\/admin\/login\?next=/)
  await page.route('**/api/preferences', () => undefined) // whatever is shown now was cached
  await signInAsAdmin(page, next.email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  await page.getByRole('link', { name: 'View profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile')
  await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible()
  await expect(choice).toHaveCount(0)
})

test('somebody who signs in on a page that outlived a sign-out sees nothing of the previous user', async ({
  person,
  visit,
}) => {
  const [owner, sender, next] = [await person(), await person(), await person({ fullName: 'Next One' })]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const page = await visit({ as: owner, at: '/dashboard/messages?view=received' })
  await expect(page.getByRole('article')).toContainText('Your lights are on.')
  await page.getByRole('link', { name: 'PlateNote' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  const tab = await page.context().newPage()
  await tab.goto('/dashboard')
  await signOutButton(tab).click()

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
    const page = await visit({ as: owner, at: '/dashboard' })
    await page.route(hanging, () => undefined)
    await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
    // the session has to be renewed before a request can end it
    await page.evaluate((key) => {
      const session = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 60 }))
    }, SESSION_KEY)
    await signOutButton(page).click()
    await expect(page, hanging).toHaveURL(/:\d+\/$/)
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
