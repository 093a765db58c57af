import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { waitForIdle } from '../support/page-objects.ts'

test('the first data of a page is requested while its scripts load, and only once', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const page = await visit({ as: owner })
  await page.route('**/api/live', (route) => route.abort()) // everything is fetched again when it opens
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname !== '/api/live') requested.push(pathname)
  })
  const first = page.waitForRequest('**/api/dashboard')
  await page.route('**/assets/*.js', async (route) => {
    await first
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('listitem').filter({ hasText: 'Your lights are on.' })).toBeVisible()
  await expect(page.getByText('1 unread notification').first()).toBeAttached()
  expect(requested.toSorted()).toEqual(['/api/dashboard', '/api/notifications/unread-count'])
})

test('a page whose data has arrived when its scripts run is rendered with it, without a skeleton first', async ({
  person,
  visit,
}) => {
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: owner })
  await page.addInitScript(() => {
    const look = () =>
      document.querySelector('main .skeleton') && document.documentElement.classList.add('had-skeleton')
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  const received = page.waitForResponse('**/api/dashboard')
  await page.route('**/assets/*.js', async (route) => {
    await received
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByText(plate).first()).toBeVisible()
  await expect(page.locator('html')).not.toHaveClass(/had-skeleton/)
})

test('nobody gets data that was requested with somebody else’s token', async ({ person, visit }) => {
  const [one, other] = [await person(), await person()]
  const mine = await one.registerVehicle()
  const theirs = await other.registerVehicle()
  const page = await visit({ as: one })
  const [session] = (await other.storageState()).origins[0]?.localStorage ?? []
  // another tab signs somebody else in between the request and the scripts
  const first = page.waitForRequest('**/api/vehicles?*')
  await page.route('**/assets/*.js', async (route) => {
    await first
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      SESSION_KEY,
      session?.value ?? '',
    ] as const)
    await route.continue()
  })
  await page.goto('/dashboard/vehicles')
  const plate = (of: string) => page.getByRole('img', { name: `Licence plate ${of}, Ontario` })
  await expect(plate(theirs.plate)).toBeVisible()
  await expect(plate(mine.plate)).toHaveCount(0)
})

test('an admin page also requests its data early, and shows nothing until the server confirms the admin right', async ({
  person,
  visit,
  product,
}) => {
  const admin = await grantAdmin(product, await person())
  const { plate } = await (await person()).registerVehicle()
  const page = await visit({ as: admin })
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(?:api\/admin|auth)\//.test(pathname)) requested.push(pathname)
  })
  const confirmed = Promise.withResolvers<void>()
  await page.route('**/auth/v1/user', async (route) => {
    await confirmed.promise
    await route.continue()
  })
  const list = page.waitForResponse('**/api/admin/vehicles')
  const started = page.waitForResponse('**/assets/admin-vehicles.route-*.js')
  await page.goto('/admin/vehicles')
  await Promise.all([list, started])
  await waitForIdle(page)
  await expect(page.getByText(plate)).toHaveCount(0)
  const early = requested.toSorted()
  expect(early).toEqual(['/api/admin/inbox/counts', '/api/admin/vehicles', '/auth/v1/user'])
  confirmed.resolve()
  await expect(page.getByText(plate).first()).toBeVisible()
  // what came early is not requested again; the frame then counts what is open elsewhere
  expect(requested.filter((path) => early.includes(path)).toSorted()).toEqual(early)
})
