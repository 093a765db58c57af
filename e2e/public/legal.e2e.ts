import { expect, test } from '../support/fixtures.ts'
import { ACCOUNT, SESSION } from '../support/page-objects.ts'

test('on a phone the sections of a legal page unfold above its text', async ({ visit }) => {
  const phone = await visit({ at: '/privacy', options: { viewport: { width: 390, height: 844 } } })
  const contents = phone.getByRole('navigation', { name: 'On this page' })
  await expect(contents).toBeHidden()
  await phone.getByText('On this page').first().click()
  await contents.getByRole('link', { name: 'Your Rights and Choices' }).click()
  await expect(phone.getByRole('heading', { name: '5. Your Rights and Choices' })).toBeInViewport()
})

test('the browser stores nothing beyond what the privacy policy says, and nothing of a session that a script can read', async ({
  person,
  visit,
}) => {
  const page = await visit({ as: await person(), at: '/dashboard' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const path of ['/send', '/dashboard/vehicle/new', '/dashboard/profile', '/', '/privacy', '/t', '/n'])
    await page.goto(path)
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name, httpOnly }) => [name, httpOnly]).toSorted()).toEqual([
    [ACCOUNT, false],
    [SESSION, true],
  ])
  const allowedKeys = [
    ...['signupEmail', 'signupSecret', 'signupByCode', 'theme', 'platenote-province', 'platenote-push'],
    ...['consent', 'platenote-language-offered'],
    ...['platenote-guest-device', 'platenote-guest-language', 'platenote-carried-plate'],
  ]
  const storedKeys = await page.evaluate(() => Object.keys(localStorage))
  expect(storedKeys).toContain('consent')
  expect(storedKeys.filter((key) => !allowedKeys.includes(key))).toEqual([])
})
