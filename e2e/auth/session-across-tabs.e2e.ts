import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { logIn, menu, sendForm } from '../support/page-objects.ts'

const header = (page: Page) => page.getByRole('banner')

test('signing in and out in one tab takes effect in all others', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//) // what a page was asking for as the session ended
  const { email } = await person()
  const page = await visit({ at: '/login' })
  const tab = async (path: string) => {
    const opened = await page.context().newPage()
    await opened.goto(path)
    return opened
  }
  const [landing, waiting, wanting] = [await tab('/'), await tab('/signup'), await tab('/send')]
  await expect(header(landing).getByRole('link', { name: 'Log In' })).toBeVisible()
  await expect(wanting).toHaveURL(/\/login\?next=%2Fsend$/)
  await expect(wanting.getByRole('button', { name: 'Log In' })).toBeVisible()

  await logIn(page, email)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(header(landing).getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await expect(header(landing).getByRole('link', { name: 'Log In' })).toBeHidden()
  await expect(waiting).toHaveURL(/\/dashboard$/)
  await expect(wanting).toHaveURL(/\/send$/)

  await sendForm(wanting).message.fill('Nobody else may read this')
  await menu(page).open()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(header(landing).getByRole('link', { name: 'Log In' })).toBeVisible()
  await expect(header(landing).getByRole('link', { name: 'Dashboard' })).toBeHidden()
  await expect(waiting).toHaveURL(/\/login\?next=%2Fdashboard$/)
  await expect(wanting).toHaveURL(/\/login\?next=%2Fsend$/)
  expect(await wanting.evaluate(`JSON.stringify({ ...localStorage, ...sessionStorage })`)).not.toMatch(/token|Nobody/)
})
