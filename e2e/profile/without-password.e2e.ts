import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { wrongCode } from '../support/page-objects.ts'
import { emailedCode, PASSWORD } from '../support/people.ts'

// What an account that was made with an emailed code, and has no password, does where others enter theirs.

const PROFILE = '/dashboard/profile'
const question = (page: Page) => page.getByRole('dialog', { name: 'Is it still you?' })

test('an account without name and password gets both', async ({ person, visit, product, pageGuard, audit }) => {
  pageGuard.allow(/^400 PUT \/auth\/v1\/user/, /^403 POST \/auth\/v1\/verify/, /^401 GET \/api\//)
  const someone = await person({ byCode: true })
  const page = await visit({ as: someone, at: '/dashboard' })
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const account = page.getByRole('link', { name: 'View profile' })
  await expect(account).toContainText(someone.email)
  await page.goto(PROFILE)
  const name = page.getByLabel('Full Name')
  await expect(name).toHaveValue('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('Zoé Roy')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(account).toContainText('Zoé Roy')

  await page.goto(PROFILE)
  await someone.ageSessions()
  const section = page.getByRole('region', { name: 'Password' })
  await section.getByRole('button', { name: 'Set a password' }).click()
  await expect(section.getByLabel('New Password')).toBeFocused()
  await audit(page, 'a first password')
  await section.getByLabel('New Password').fill(PASSWORD)
  await section.getByLabel('Confirm Password').fill(PASSWORD)
  await section.getByRole('button', { name: 'Save password' }).click()
  await expect(question(page).getByRole('button', { name: 'Email me a code' })).toBeFocused()
  await audit(page, 'a code is offered')
  await page.keyboard.press('Escape')
  await expect(section.getByRole('alert')).toContainText('Before it’s saved, we need to make sure it’s you.')
  await section.getByRole('button', { name: 'Save password' }).click()
  await question(page).getByRole('button', { name: 'Email me a code' }).click()
  await expect(question(page).getByLabel('Six-digit code')).toBeFocused()
  await expect(question(page)).toContainText(`We emailed a six-digit code to ${someone.email}.`)
  const code = await emailedCode(product, someone.email, 2)
  const field = question(page).getByLabel('Six-digit code')
  await field.fill(wrongCode(code))
  await expect(field).toHaveAccessibleDescription(/^That code is wrong or has expired\./)
  await audit(page, 'a wrong code')
  await field.fill(code)
  await expect(page.getByText('Password saved.')).toBeVisible()

  await page.reload()
  await expect(section.getByRole('button', { name: 'Send password reset email' })).toBeVisible()
})
