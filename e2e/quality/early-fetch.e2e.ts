import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { recordRequests, waitForIdle } from '../support/page-objects.ts'

test('the first data comes while scripts load, once, without a skeleton', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const page = await visit({ as: owner })
  await page.addInitScript(() => {
    const look = () =>
      document.querySelector('main .skeleton') && document.documentElement.classList.add('had-skeleton')
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  await page.context().route('**/api/live', (route) => route.abort()) // everything is fetched again when it opens
  const requested = recordRequests(page, /^(GET \/api\/(?!live$)|POST \/auth\/)/)
  const received = page.waitForResponse('**/auth/v1/session')
  await page.route('**/assets/*.js', async (route) => {
    await received
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('listitem').filter({ hasText: 'Your lights are on.' })).toBeVisible()
  await expect(page.getByText('1 unread notification').first()).toBeAttached()
  expect(requested).toEqual(['POST /auth/v1/session'])
  await expect(page.locator('html')).not.toHaveClass(/had-skeleton/)
})

test('nobody gets data that was requested with somebody else’s token', async ({ person, visit }) => {
  const [one, other] = [await person(), await person()]
  const mine = await one.registerVehicle()
  const theirs = await other.registerVehicle()
  const page = await visit({ as: one })
  const { cookies } = await other.storageState()
  // another tab signs somebody else in between the answer and the scripts
  const first = page.waitForResponse('**/auth/v1/session')
  await page.route('**/assets/*.js', async (route) => {
    await first
    await page.context().addCookies(cookies)
    await route.continue()
  })
  await page.goto('/dashboard/vehicles')
  const plate = (of: string) => page.getByRole('img', { name: `Licence plate ${of}, Ontario` })
  await expect(plate(theirs.plate)).toBeVisible()
  await expect(plate(mine.plate)).toHaveCount(0)
})

test('an admin page reads early too, and shows nothing until confirmed', async ({ person, visit, product }) => {
  const admin = await grantAdmin(product, await person())
  const { plate } = await (await person()).registerVehicle()
  const page = await visit({ as: admin })
  const requested = recordRequests(page, /^(GET \/(?:api\/admin|auth)|POST \/auth)\//)
  const confirmed = Promise.withResolvers<void>()
  await page.route('**/auth/v1/session', async (route) => {
    await confirmed.promise
    await route.continue()
  })
  const started = page.waitForResponse('**/assets/admin-vehicles.route-*.js')
  await page.goto('/admin/vehicles')
  await started
  await waitForIdle(page)
  await expect(page.getByText(plate)).toHaveCount(0)
  expect(requested).toEqual(['POST /auth/v1/session'])
  confirmed.resolve()
  await expect(page.getByText(plate).first()).toBeVisible()
  // what came early is not requested again; the frame then counts what is open elsewhere
  for (const path of ['/api/admin/inbox/counts', '/api/admin/vehicles', '/auth/v1/user'])
    expect(requested).not.toContain(`GET ${path}`)
})
