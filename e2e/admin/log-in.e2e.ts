import { grantAdmin, revokeAdminAt } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn, menu, recordRequests } from '../support/page-objects.ts'
import type { Product } from '../support/product.ts'

const PAGES = ['/admin', '/admin/vehicles?province=Ontario', '/fr/admin/users']

/** Runs in the page: records whether the frame of the admin area was ever there. */
const RECORD_ADMIN_FRAME = `new MutationObserver(() => {
  if (document.querySelector('#site-menu')) sessionStorage.setItem('seen', location.pathname)
}).observe(document, { childList: true, subtree: true })`

const countSessions = async ({ db }: Product, id: string) => {
  const [row] = await db<{ count: number }[]>`select count(*)::int from auth.sessions where user_id = ${id}`
  return row?.count
}

const encodedPattern = (path: string) => encodeURIComponent(path).replaceAll('.', '\\.')

test('the area is for admins; who is none sees why, still signed in', async ({ audit, person, visit, product }) => {
  const owner = await person({ fullName: 'Sam Ordinary' })
  const visitor = await visit()
  const page = await visit({ as: owner })
  for (const one of [visitor, page]) {
    await one.addInitScript({ content: RECORD_ADMIN_FRAME })
    const requested = recordRequests(one, / \/api\//)
    for (const path of PAGES) {
      await one.goto(path)
      const rest = path.replace(/^\/fr/, '')
      // the language of the address, or of the account
      const prefix = path !== rest && one === visitor ? '/fr' : ''
      await expect(one).toHaveURL(new RegExp(`:\\d+${prefix}/admin/login\\?next=${encodedPattern(rest)}$`))
      await expect(one.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await one.evaluate(`sessionStorage.getItem('seen')`), path).toBeNull()
    }
    expect(requested).toEqual([])
  }
  await expect(page.getByText(`You are signed in as ${owner.email}, which isn’t an admin account.`)).toBeVisible()
  const before = await countSessions(product, owner.id)
  await logIn(page, owner.email)
  await expect(page.getByRole('alert')).toContainText('Not an admin account.')
  await audit(page, 'no admin')
  expect(await countSessions(product, owner.id)).toBe(before) // the one just opened has ended
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible()
})

test('an admin replaces the user of every tab, and outlives an error', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^500 GET \/auth\/v1\/user/)
  const [owner, admin] = [await person({ fullName: 'Sam Ordinary' }), await person({ fullName: 'Robin Gagnon' })]
  await grantAdmin(product, admin)
  const page = await visit({ as: owner, at: '/admin/users' })
  const tab = await page.context().newPage()
  await tab.goto('/dashboard')
  await expect(tab.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible()
  const before = (await countSessions(product, owner.id)) ?? 0

  await logIn(page, admin.email)
  await expect(page).toHaveURL(/\/admin\/users$/)
  await expect(page.getByRole('banner').getByText('Robin Gagnon')).toBeVisible()
  await expect(tab.getByText('Sam Ordinary')).toBeHidden()
  expect(await countSessions(product, owner.id)).toBe(before - 1)

  // a server that does not respond signs nobody out, and retrying opens the page
  await tab.route('**/auth/v1/user', (route) => route.fulfill({ status: 500, json: { msg: 'down' } }))
  await tab.goto('/admin/system/audit-log')
  await expect(tab.getByRole('alert')).toContainText('Something went wrong.')
  await tab.unroute('**/auth/v1/user')
  await tab.getByRole('button', { name: 'Try again' }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await menu(page).open()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(tab).toHaveURL(/\/admin\/login\?next=%2Fadmin%2Fsystem%2Faudit-log$/)
})

test('who is no admin any more is led out and leaves nothing behind', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^403 (POST \/rest\/v1\/rpc\/get_users|GET \/(api\/admin|auth)\/)/)
  const admin = await grantAdmin(product, await person())
  const [other, next] = [await person({ fullName: 'Zoé Reader' }), await grantAdmin(product, await person())]
  const page = await visit({ as: admin, at: '/admin/profile' })
  const language = page.getByRole('combobox', { name: 'Language' })
  await expect(language).toHaveValue('en')
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('cell', { name: other.email })).toBeVisible()
  await revokeAdminAt(page, product, admin, (request) => request.postData()?.includes('zo') ?? false)
  await page.getByLabel('Search users').fill('zoé')
  await expect(page).toHaveURL(/\/admin\/login\?next=%2Fadmin%2Fusers%3Fsearch%3Dzo/)
  await expect(page.getByText(`You are signed in as ${admin.email}, which isn’t an admin account.`)).toBeVisible()

  await page.route('**/api/preferences', () => undefined) // whatever is shown now was cached
  await logIn(page, next.email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  await page.getByRole('link', { name: 'View profile' }).click()
  await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible()
  await expect(language).toHaveCount(0)
})
