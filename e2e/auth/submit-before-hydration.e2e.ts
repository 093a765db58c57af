import { expect, test } from '../support/fixtures.ts'
import { holdScripts, recordRequests } from '../support/page-objects.ts'
import { newEmail, PASSWORD } from '../support/people.ts'

test('an account form submitted before the scripts have loaded is sent once they have', async ({ page, person }) => {
  const posts = recordRequests(page, /^POST /)
  const email = newEmail()
  const forgot = await holdScripts(page)
  await page.goto('/forgot-password', { waitUntil: 'commit' })
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Email' }).press('Enter') // a form with one field, which Enter submits
  await expect(page.locator('form[data-pressed]')).toBeVisible()
  await expect(page).toHaveURL(/\/forgot-password$/)
  forgot.release()
  await expect(page.getByRole('heading', { name: 'Reset link sent successfully!' })).toBeVisible()
  expect(posts).toEqual(['POST /auth/v1/recover'])

  const owner = await person()
  const logIn = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByRole('textbox', { name: 'Email' }).fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const button = page.getByRole('button', { name: 'Log In' })
  for (let i = 0; i < 2; i++) await button.click()
  await expect(page.locator('form[data-pressed]')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(posts).toHaveLength(1)
  logIn.release()
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(posts.slice(1)).toEqual(['POST /auth/v1/token'])
})

test('without scripts no account form sends anything, and each says that it needs JavaScript', async ({ visit }) => {
  const page = await visit({ options: { javaScriptEnabled: false } })
  const posts = recordRequests(page, /^POST /)
  for (const path of ['/login', '/signup', '/forgot-password', '/admin/login']) {
    await page.goto(path)
    await page.getByRole('textbox', { name: 'Email' }).fill('robin@example.com')
    await page.getByRole('textbox', { name: 'Email' }).press('Enter')
    await page.locator('[data-submit]').first().click()
    await expect(page.locator('noscript p')).toContainText('needs JavaScript')
    await expect(page.locator('noscript p')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  expect(posts).toEqual([])
})

test('a form without its scripts says so, and is sent after a reload', async ({ page, person, pageGuard }) => {
  pageGuard.allow(/net::ERR_FAILED/, /^exception: $/) // what cannot be read has no message
  const owner = await person()
  const [email, button] = [page.locator('[name=email]'), page.locator('[data-submit]').first()]
  const notLoaded = page.getByText('This page hasn’t loaded completely.')
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/login')
  await expect(notLoaded).toBeVisible()
  await email.fill(owner.email)
  await page.unroute('**/assets/*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.locator('[data-submit=ready]').first()).toBeVisible()
  await expect(email).toHaveValue(owner.email)
  await expect(notLoaded).toHaveCount(0)

  // they are on their way for too long after a press
  await page.clock.install()
  const scripts = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await button.click()
  await page.clock.runFor(14_000)
  await expect(notLoaded).toBeHidden()
  await page.clock.runFor(2_000)
  await expect(notLoaded).toBeVisible()
  scripts.release()
  await expect(notLoaded).toHaveCount(0)

  // the browser cannot read them
  await page.addInitScript({ content: 'delete Array.prototype.toSorted' })
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '}' }))
  await page.goto('/fr/login')
  await expect(page.getByText('Votre navigateur est trop ancien pour cette page.')).toBeVisible()
})
