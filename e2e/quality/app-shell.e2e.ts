import { expect, test } from '../support/fixtures.ts'

test('the landing page works in both languages without any script @always', async ({ visit }) => {
  const page = await visit({ at: '/', options: { javaScriptEnabled: false } })
  await expect(page.getByRole('heading', { level: 1, name: 'Know the plate? Reach the owner.' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Register Your Vehicle' }).first()).toHaveAttribute(
    'href',
    '/signup',
  )
  await expect(page.getByRole('main').getByRole('link', { name: 'Send a Message' }).first()).toHaveAttribute(
    'href',
    '/login',
  )
  const questions = page.locator('#faq details')
  await expect(questions).toHaveCount(10)
  await questions.first().locator('summary').click()
  await expect(page.getByText('A way to message a vehicle’s owner')).toBeVisible()
  await questions.nth(1).locator('summary').click()
  await expect(page.getByText('A way to message a vehicle’s owner')).toBeHidden()

  await page.getByRole('link', { name: 'Français' }).first().click()
  await expect(page).toHaveURL(/\/fr$/)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
  await expect(page.locator('#faq details')).toHaveCount(10)
  for (const anchor of ['#features', '#how-it-works', '#faq']) await expect(page.locator(anchor)).toBeVisible()
})

test('an unknown address gets a 404 page in its language', async ({ page, pageGuard }) => {
  pageGuard.allow(/^404 GET \/(fr\/)?no-such-page/)
  for (const [path, title, home] of [
    ['/no-such-page', 'Oops! Page not found', '/'],
    ['/fr/no-such-page', /introuvable/i, '/fr'],
  ] as const) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.getByRole('main').getByRole('link').first()).toHaveAttribute('href', home)
  }
})

test('an exception in a page leads to the error screen', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^console: /, /^exception: /)
  const page = await visit({ as: await person() })
  // a response this release does not know
  await page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible()
  await page.unroute('**/api/dashboard')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Alex' })).toBeVisible()
})

test('the language switch keeps the page, the query and the fragment', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Une porte est ouverte.')
  const page = await visit({ as: owner, at: `/dashboard/messages?view=received#${id}` })
  await page.getByRole('link', { name: 'Français' }).click()
  await expect(page).toHaveURL(new RegExp(`/fr/dashboard/messages\\?view=received#${id}$`))
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-CA')
  await expect(page.getByText('Une porte est ouverte.')).toBeVisible()
  await page.getByRole('navigation').getByRole('link').nth(2).click()
  await expect(page).toHaveURL(/\/fr\/dashboard\/vehicles$/)
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/dashboard\/vehicles$/)

  const login = await visit({ at: '/login?next=%2Fsend%3Fplate%3DABC' })
  await login.getByRole('link', { name: 'Français' }).click()
  await expect(login).toHaveURL(/\/fr\/login\?next=%2Fsend%3Fplate%3DABC$/)
})

test('the theme follows the system until one is chosen, and then the choice applies to every page', async ({
  visit,
}) => {
  const page = await visit({ at: '/', options: { colorScheme: 'light' } })
  const backgroundColor = () => page.evaluate(`getComputedStyle(document.body).backgroundColor`)
  const light = await backgroundColor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(backgroundColor).not.toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  const dark = await backgroundColor()
  expect(dark).not.toBe(light)
  for (const path of ['/login', '/fr']) {
    await page.goto(path)
    expect(await backgroundColor()).toBe(dark)
  }
})

test('the menu on a phone opens on a tap and closes when a link is followed @phone', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/dashboard' })
  const nav = page.getByRole('navigation', { name: 'Main navigation' })
  await expect(nav).toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).tap()
  await nav.getByRole('link', { name: 'My Vehicles' }).tap()
  await expect(page).toHaveURL(/\/dashboard\/vehicles$/)
  await expect(nav).toBeHidden()
})
