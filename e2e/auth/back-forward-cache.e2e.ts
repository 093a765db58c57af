import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'

test.use(inFullBrowser)

test('nothing of who has signed out is shown by Back, nor to who signs in', async ({ person, visit }) => {
  const [owner, sender, next] = [await person(), await person(), await person({ fullName: 'Next One' })]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'Your lights are on.')
  const page = await visit({ as: owner, at: '/dashboard/messages?view=received' })
  await expect(page.getByRole('article')).toContainText('Your lights are on.')
  const tab = await page.context().newPage()
  await tab.goto('/dashboard/messages?view=received')
  await expect(tab.getByRole('article')).toContainText('Your lights are on.')
  await page.getByRole('link', { name: 'PlateNote' }).click()
  // the address alone is there before the page is: until then the sign-out leads this tab to the log-in, too
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to Dashboard' }).first()).toBeVisible()
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click()
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

test('a page restored from the history shows who is signed in now', async ({ person, visit }) => {
  const { email } = await person()
  const page = await visit()
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      document.documentElement.dataset['held'] = String(persisted)
    })
  })
  const logInLink = page.getByRole('banner').getByRole('link', { name: 'Log In' })
  await page.goto('/')
  await expect(logInLink).toBeVisible()
  await logInLink.click()
  await logIn(page, email)
  await expect(page).toHaveURL(/\/dashboard$/)
  // the dashboard replaced the log-in page in the history: one step back is the cached landing page
  await page.goBack({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-held', 'true')
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to Dashboard' }).first()).toBeVisible()
  await expect(logInLink).toBeHidden()
})
