import type { Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn, signUp } from '../support/page-objects.ts'
import { confirmationLink, newEmail, PASSWORD, signUpLink } from '../support/people.ts'

// The questions whose the password of a sign-up is, and whether a link may sign this browser in (decision mailed-links).

const NEXT = 'Other-horse-8'

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const isSignedIn = (page: Page) => page.evaluate((key) => localStorage.getItem(key) !== null, SESSION_KEY)

async function choosePassword(page: Page, password: string) {
  await page.getByLabel('New Password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Save and log in' }).click()
}

async function expectPasswords(page: Page, email: string, { wrong, right }: { wrong: string[]; right: string }) {
  await page.goto('/login')
  for (const password of wrong) {
    await logIn(page, email, password)
    await expect(page.getByRole('alert')).toContainText('Invalid login credentials')
  }
  await logIn(page, email, right)
  // whose password a sign-up's is, theirs is its consent
  await expect(page).toHaveURL(right === NEXT ? /\/consent\?next=%2Fdashboard$/ : /\/dashboard$/)
}

test('the browser that signed up keeps its own password, also by the link of a stranger who signed up after it', async ({
  page,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const email = newEmail()
  await page.goto('/signup')
  await signUp(page, email)
  await confirmationLink(product, email)
  await signUp(await visit({ at: '/signup' }), email, { password: 'Attackers-own-1' })
  await page.goto(await confirmationLink(product, email, 2))
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(heading(page, 'Hello, Robin')).toBeVisible()
  await expectPasswords(await visit(), email, { wrong: ['Attackers-own-1'], right: PASSWORD })
})

test('a link to an address this browser does not wait for can be declined, and works elsewhere with a new password', async ({
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const email = newEmail()
  const link = await signUpLink(product, email)
  const page = await visit({ at: link })
  await button(page, 'Don’t log in').click()
  await expect(page).toHaveURL(`${product.url}/`)
  expect(await isSignedIn(page)).toBe(false)
  const rows = await product.db`select from auth.users where email = ${email} and email_confirmed_at is not null`
  expect(rows).toHaveLength(0)

  // somebody who did not sign up, or is not sure
  const owner = await visit({ at: link })
  await button(owner, 'No, or not sure').click()
  await choosePassword(owner, NEXT)
  await expect(owner).toHaveURL(/\/consent\?next=%2Fdashboard$/)
  await expectPasswords(await visit(), email, { wrong: [PASSWORD], right: NEXT })
})
