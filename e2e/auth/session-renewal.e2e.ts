import type { APIResponse, Page, Request, Route } from '@playwright/test'
import { runsAll } from '../../server/src/test/runs-all.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn, recordRequests, sessionToken } from '../support/page-objects.ts'

const isRenewal = (request: Request) => request.url().endsWith('/auth/v1/session')
const hello = (page: Page, name = 'Alex') => page.getByRole('heading', { name: `Hello, ${name}` })

/** Lets the server answer the next renewal of a page, and does with its answer what the network does. */
const onAnswer = (page: Page, act: (route: Route, response: APIResponse) => Promise<void>) =>
  page.route(
    '**/auth/v1/session',
    async (route) => {
      const cookies = await page.context().cookies()
      const response = await route.fetch()
      await page.context().addCookies(cookies) // as before: they come with the answer
      await act(route, response)
    },
    { times: 1 },
  )

/** Until a token has less than 90 seconds left. */
const ALMOST_AN_HOUR_MS = 3_515_000

test('a session that expires offline is renewed later, or ended offline', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person()
  const page = await visit({ as: owner })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(hello(page)).toBeVisible()
  await page.context().setOffline(true)
  const failed = page.waitForEvent('requestfailed', isRenewal)
  await page.clock.fastForward(ALMOST_AN_HOUR_MS)
  await failed
  await expect(hello(page)).toBeVisible()
  const renewal = page.waitForRequest(isRenewal)
  await page.context().setOffline(false)
  await renewal
  await page.getByRole('link', { name: 'View profile' }).click()
  await expect(page.getByLabel('Full Name')).toHaveValue(/^Alex Tremblay/)

  const landing = await page.context().newPage()
  await landing.goto('/')
  const logIn = landing.getByRole('banner').getByRole('link', { name: 'Log In' })
  await expect(logIn).toBeHidden()
  const countSessions = async () => (await product.db`select from auth.sessions where user_id = ${owner.id}`).length
  const before = await countSessions()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(logIn).toBeVisible()
  expect(await countSessions()).toBe(before)
  await page.context().setOffline(false)
  const asked = recordRequests(landing, /\/auth\//)
  // whichever page comes first ends it, before anybody is asked anything
  await landing.goto('/about-us')
  await expect.poll(countSessions).toBe(before - 1)
  await expect.poll(() => landing.context().cookies()).toEqual([])
  await landing.goto('/dashboard')
  await expect(landing).toHaveURL(/\/login\?next=%2Fdashboard$/)
  expect(new Set(asked)).toEqual(new Set(['POST /auth/v1/session/end']))
})

test('a renewal that the server defers is retried, and ends nothing', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^(408|409|429) POST \/auth\/v1\/session/)
  const page = await visit({ as: await person(), at: '/dashboard/messages' })
  await expect(page.getByText('No messages yet')).toBeVisible()
  const before = await sessionToken(page)
  for (const status of [408, 409, 429]) {
    let refusals = 0
    await page.route('**/auth/v1/session', (route) => {
      refusals++
      const code = status === 409 ? 'conflict' : 'over_request_rate_limit'
      return route.fulfill({ status, headers: { 'retry-after': '1' }, json: { code, message: 'Not now' } })
    })
    await page.reload()
    await expect.poll(() => refusals).toBeGreaterThan(1)
    await page.unroute('**/auth/v1/session')
    await expect(page.getByRole('tab', { name: 'Sent' })).toBeVisible()
    expect(await sessionToken(page)).toBe(before)
  }
})

test('tabs that open, reload and lose answers together keep one session, also over a crash of the server', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_/, /Failed to fetch/, /^401 GET \/api\//) // also what a page loads as its session ends
  const owner = await person()
  const first = await visit({ as: owner })
  const sessions = () => product.db`select id from auth.sessions where user_id = ${owner.id} order by id`
  const before = await sessions()
  /** Makes the token so old that it is exchanged. */
  const age = () => product.db`
    update auth.refresh_tokens t set created_at = t.created_at - interval '51 minutes', used_at = t.used_at - interval '51 minutes'
    from auth.sessions s where s.id = t.session_id and s.user_id = ${owner.id}`
  const tabs = [first, await first.context().newPage(), await first.context().newPage()]
  const assertSignedIn = async () => {
    for (const tab of tabs) await tab.goto('/dashboard')
    for (const tab of tabs) await expect(hello(tab)).toBeVisible()
  }
  await Promise.all(tabs.map((tab) => tab.goto('/dashboard')))
  for (let round = 0; round < (runsAll ? 33 : 4); round++) {
    if (round % 8 === 0) {
      for (const tab of tabs) await expect(hello(tab)).toBeVisible() // no request is on its way for so long
      await age()
    }
    // each is cut off by the next: nobody waits for what the page asks for
    await Promise.all(tabs.map((tab) => tab.goto('/dashboard', { waitUntil: 'commit' })))
  }
  await assertSignedIn()

  await age()
  await onAnswer(first, (route) => route.abort())
  await first.goto('/dashboard')
  await expect(first.getByRole('button', { name: 'Try again' })).toBeVisible()
  await first.getByRole('button', { name: 'Try again' }).click()
  await expect(hello(first)).toBeVisible()
  await assertSignedIn()

  await age()
  const renewals = Promise.all(tabs.map((tab) => tab.waitForRequest(isRenewal)))
  const loads = Promise.all(tabs.map((tab) => tab.reload({ waitUntil: 'commit' }).catch(() => {})))
  await renewals
  await product.kill()
  await loads
  await product.start()
  await assertSignedIn()
  expect(await sessions()).toEqual(before)
  expect(await product.inbox.to(owner.email)).toHaveLength(1) // the confirmation, and nothing about a theft

  // an answer that would come after the sign-in of somebody else
  const [page, next] = [tabs[1]!, await person({ fullName: 'Sam Roy' })]
  await age()
  const [exchanged, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await onAnswer(first, async (route, response) => {
    exchanged.resolve()
    await late.promise
    await route.fulfill({ response })
  })
  const renewed = first.waitForResponse((response) => isRenewal(response.request()))
  await first.goto('/dashboard', { waitUntil: 'commit' })
  await exchanged.promise
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await page.goto('/login')
  const signedIn = page.waitForResponse(/grant_type=password/)
  await logIn(page, next.email)
  const countWaiting = () => page.evaluate('navigator.locks.query().then(({ pending }) => pending.length)')
  const isWaiting = expect.poll(countWaiting).toBe(1)
  await Promise.race([signedIn, isWaiting.catch(() => signedIn)])
  late.resolve()
  await Promise.all([signedIn, renewed])
  for (const tab of [page, first]) await expect(hello(tab, 'Sam')).toBeVisible()
  await page.reload()
  await expect(hello(page, 'Sam')).toBeVisible()
})
