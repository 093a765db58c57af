import type { Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/page/storage.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'
import { newEmail, PASSWORD, signUpLink } from '../support/people.ts'

// The questions whose the password of a sign-up is, and whether a link may sign this browser in (decision mailed-links).

const NEXT = 'Other-horse-8'

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })
const isSignedIn = (page: Page) => page.evaluate((key) => localStorage.getItem(key) !== null, SESSION_KEY)

async function choosePassword(page: Page, password: string) {
  await page.getByLabel('New Password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Save and log in' }).click()
}

test('a link to an address this browser does not wait for can be declined, and works elsewhere with a new password', async ({
  audit,
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
  await expect(button(owner, 'No, or not sure')).toBeVisible()
  await audit(owner, 'whose the password is')
  await button(owner, 'No, or not sure').click()
  await expect(owner.getByLabel('Confirm Password')).toBeVisible()
  await audit(owner, 'a password to choose')
  await choosePassword(owner, NEXT)
  await expect(owner).toHaveURL(/\/consent\?next=%2Fdashboard$/)
  const later = await visit({ at: '/login' })
  await logIn(later, email, PASSWORD)
  await expect(later.getByRole('alert')).toContainText('Invalid login credentials')
  await logIn(later, email, NEXT)
  await expect(later).toHaveURL(/\/consent\?next=%2Fdashboard$/)
})
