import { makeAdmin, signInAsAdmin } from './admins.ts'
import { expect, test } from './fixtures.ts'

// as browsers are: Playwright by itself keeps them from holding pages for the way back
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    { scope: 'worker' },
  ],
})

test('after signing out the way back does not show what one was reading', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registers()
  await sender.sends(plate, 'Your lights are on.')
  const page = await visit({ as: owner, at: '/dashboard/messages?view=received' })
  await expect(page.getByText('Your lights are on.')).toBeVisible()
  // the context puts its session back at every load of a page otherwise
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await page.goBack({ waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByText('Your lights are on.')).toHaveCount(0)
})

test('the admin who signs in next does not see what the one before them saw', async ({
  person,
  visit,
  product,
  watch,
}) => {
  watch.allow(/^403 (GET|POST) \/(api\/admin|rest)\//)
  const [former, next] = [await makeAdmin(product, await person()), await makeAdmin(product, await person())]
  const page = await visit({ as: former, at: '/admin/profile' })
  const choice = page.getByRole('checkbox', { name: 'Email me new messages' })
  await expect(choice).toBeChecked()
  await product.db`update auth.users set is_admin = false where id = ${former.id}`
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveURL(/\/admin\/login\?next=/)
  await page.route('**/api/preferences', () => undefined) // whatever is shown now was there before
  await signInAsAdmin(page, next.email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  await page.getByRole('link', { name: 'View profile' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile')
  await expect(page.getByRole('heading', { name: 'Language and email' })).toBeVisible()
  await expect(choice).toHaveCount(0)
})
