import type { Page, Request } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { expect, test } from '../support/fixtures.ts'
import { AUTH_CLIENT, simulateTabReturn } from '../support/page-objects.ts'
import type { Session } from '../support/people.ts'

const isAuthClientRequest = (request: Request) => AUTH_CLIENT.test(new URL(request.url()).pathname)
const isRefreshRequest = (request: Request) => request.url().includes('/auth/v1/token?grant_type=refresh_token')

const storedSession = (page: Page) => page.evaluate((key) => localStorage.getItem(key), SESSION_KEY)
const refreshToken = async (page: Page) =>
  (JSON.parse((await storedSession(page)) ?? '{}') as Partial<Session>).refresh_token

/** Changes the stored session so that it expires in this many seconds. */
const setExpiresIn = (page: Page, seconds: number) =>
  page.evaluate(
    ([key, left]) => {
      const session = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + left }))
    },
    [SESSION_KEY, seconds] as const,
  )

test('a session that is about to expire is renewed while the page stays open', async ({ person, visit }) => {
  const page = await visit({ as: await person() })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  await setExpiresIn(page, 110)
  const before = await storedSession(page)
  const renewal = page.waitForRequest(isRefreshRequest)
  await page.clock.fastForward(30_000)
  await renewal
  await expect.poll(() => storedSession(page)).not.toBe(before)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
})

test('a session that expires offline is renewed later, or ended offline', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/, /Failed to fetch dynamically imported module/)
  const page = await visit({ as: await person(), at: '/dashboard' })
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  await page.context().setOffline(true)
  await setExpiresIn(page, 60)
  const failed = page.waitForEvent('requestfailed', isAuthClientRequest)
  await simulateTabReturn(page)
  await failed
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
  const renewal = page.waitForRequest(isRefreshRequest)
  await page.context().setOffline(false)
  await renewal
  await page.getByRole('link', { name: 'View profile' }).click()
  await expect(page.getByLabel('Full Name')).toHaveValue(/^Alex Tremblay/)

  const landing = await page.context().newPage()
  await landing.goto('/')
  const logIn = landing.getByRole('banner').getByRole('link', { name: 'Log In' })
  await expect(logIn).toBeHidden()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(logIn).toBeVisible()
  expect(await storedSession(landing)).toBe(null)
  await page.context().setOffline(false)
  await landing.goto('/dashboard')
  await expect(landing).toHaveURL(/\/login\?next=%2Fdashboard$/)
})

test('a renewal that the server defers is retried, and ends nothing', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^(409|429) POST \/auth\/v1\/token/)
  const page = await visit({ as: await person(), at: '/dashboard/messages' })
  await expect(page.getByText('No messages yet')).toBeVisible()
  // a session that has expired, as after an hour in another tab
  for (const status of [409, 429]) {
    let refusals = 0
    await page.route('**/auth/v1/token?grant_type=refresh_token', (route) => {
      refusals++
      const code = status === 409 ? 'conflict' : 'over_request_rate_limit'
      return route.fulfill({ status, headers: { 'retry-after': '1' }, json: { code, message: 'Not now' } })
    })
    const before = await refreshToken(page)
    await setExpiresIn(page, -1)
    await page.reload()
    await expect.poll(() => refusals).toBeGreaterThan(1)
    expect(await refreshToken(page)).toBe(before)
    await page.unroute('**/auth/v1/token?grant_type=refresh_token')
    await expect(page.getByRole('tab', { name: 'Sent' })).toBeVisible()
    await expect.poll(() => refreshToken(page)).not.toBe(before)
  }
})
