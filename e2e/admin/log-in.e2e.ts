import { grantAdmin, revokeAdminAt, signInAsAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'
import type { Product } from '../support/product.ts'

const PAGES = [
  '/admin',
  '/admin/users?search=%25',
  '/admin/vehicles?province=Ontario',
  '/admin/disputes',
  '/admin/health',
  '/admin/audit-log',
  '/admin/profile',
]

/** Runs in the page: records whether the frame of the admin area was ever there. */
const RECORD_ADMIN_FRAME = `new MutationObserver(() => {
  if (document.querySelector('#site-menu')) sessionStorage.setItem('seen', location.pathname)
}).observe(document, { childList: true, subtree: true })`

const countSessions = async ({ db }: Product, id: string) => {
  const [row] = await db<{ count: number }[]>`select count(*)::int from auth.sessions where user_id = ${id}`
  return row?.count
}

const encodedPattern = (path: string) => encodeURIComponent(path).replaceAll('.', '\\.')

test('the admin area is shown to admins only @always', async ({ person, visit }) => {
  for (const as of [undefined, await person()]) {
    const page = await visit({ ...(as && { as }) })
    await page.addInitScript({ content: RECORD_ADMIN_FRAME })
    for (const path of [...PAGES, '/fr/admin/users']) {
      await page.goto(path)
      const rest = path.replace(/^\/fr/, '')
      // the language of the address, or of the account
      const prefix = path !== rest && !as ? '/fr' : ''
      await expect(page).toHaveURL(new RegExp(`:\\d+${prefix}/admin/login\\?next=${encodedPattern(rest)}$`))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(`sessionStorage.getItem('seen')`), path).toBeNull()
    }
  }
})

test('after logging in an admin lands on the page they wanted, and never on another site', async ({
  person,
  visit,
  product,
}) => {
  const admin = await grantAdmin(product, await person({ fullName: 'Robin Gagnon' }))
  const page = await visit({ at: '/admin/users?search=robin' })
  await signInAsAdmin(page, admin.email)
  await expect(page).toHaveURL(/\/admin\/users\?search=robin$/)
  await expect(page.getByRole('cell', { name: admin.email })).toBeVisible()

  // already signed in: no log-in is needed
  await page.goto('/admin/login')
  await expect(page).toHaveURL(/:\d+\/admin$/)
  await expect(page.getByRole('banner').getByText('Robin Gagnon')).toBeVisible()
  await page.goto('/fr/admin/login?next=%2Fadmin%2Faudit-log')
  await expect(page).toHaveURL(/:\d+\/admin\/audit-log$/) // in the language of the account

  const unsafeTargets = [
    'https://example.com/admin',
    '//example.com/admin',
    '/\\example.com',
    '/admin/../dashboard',
    '/dashboard',
    '/administrator',
    '/admin/login?next=%2Fadmin%2Flogin',
  ]
  for (const next of unsafeTargets) {
    await page.goto(`/admin/login?next=${encodeURIComponent(next)}`)
    await expect(page, next).toHaveURL(/^http:\/\/localhost:\d+\/admin$/)
  }
})

test('a user without the admin right sees why they cannot enter, and stays signed in', async ({
  person,
  visit,
  product,
}) => {
  const owner = await person({ fullName: 'Sam Ordinary' })
  const page = await visit({ as: owner, at: '/admin' })
  await expect(page.getByText(`You are signed in as ${owner.email}, which isn’t an admin account.`)).toBeVisible()
  const before = await countSessions(product, owner.id)
  await signInAsAdmin(page, owner.email)
  await expect(page.getByRole('alert')).toContainText('Not an admin account.')
  await expect(page).toHaveURL(/\/admin\/login/)
  expect(await countSessions(product, owner.id)).toBe(before) // the one just opened has ended
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible()

  const visitor = await visit({ at: '/admin/login' })
  await signInAsAdmin(visitor, owner.email)
  await expect(visitor.getByRole('alert')).toContainText('Not an admin account.')
  await visitor.goto('/dashboard')
  await expect(visitor).toHaveURL(/\/login\?next=/)
})

test('an admin who signs in replaces the user who was signed in here', async ({ person, visit, product }) => {
  const [owner, admin] = [await person({ fullName: 'Sam Ordinary' }), await person({ fullName: 'Robin Gagnon' })]
  await grantAdmin(product, admin)
  const page = await visit({ as: owner, at: '/admin/users' })
  const tab = await page.context().newPage()
  await tab.goto('/dashboard')
  await expect(tab.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible()
  const before = (await countSessions(product, owner.id)) ?? 0

  await signInAsAdmin(page, admin.email)
  await expect(page).toHaveURL(/\/admin\/users$/)
  await expect(page.getByRole('banner').getByText('Robin Gagnon')).toBeVisible()
  await expect(tab.getByText('Sam Ordinary')).toBeHidden()
  expect(await countSessions(product, owner.id)).toBe(before - 1)
})

test('errors of the admin log-in say what to do', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^4(00|29) POST \/auth\/v1\/token/, /net::ERR_INTERNET_DISCONNECTED/)
  const admin = await grantAdmin(product, await person())
  const page = await visit({ at: '/admin/login' })
  const alert = page.getByRole('alert')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Please enter your email address.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password')

  await signInAsAdmin(page, admin.email, 'Wrong-horse-7')
  await expect(alert).toContainText('Invalid login credentials')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')

  await page.context().setOffline(true)
  await signInAsAdmin(page, admin.email)
  await expect(alert).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)

  // these tests have a thousand times the product's limits: use up the remaining tries at once
  await product.db`update rate_counters set count = 10000 where key like 'sign-in:%'`
  await signInAsAdmin(page, admin.email)
  await expect(alert).toContainText(/You can try again in \d+ minutes\./)
  await product.db`delete from rate_counters where key like 'sign-in:%'`
  await signInAsAdmin(page, admin.email)
  await expect(page).toHaveURL(/\/admin$/)
})

test('a server that does not respond does not sign anybody out, and retrying opens the page', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^500 GET \/auth\/v1\/user/)
  const page = await visit({ as: await grantAdmin(product, await person()) })
  await page.route('**/auth/v1/user', (route) => route.fulfill({ status: 500, json: { msg: 'down' } }))
  await page.goto('/admin')
  await expect(page.getByRole('alert')).toContainText('Something went wrong.')
  await page.unroute('**/auth/v1/user')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('an admin who loses the admin right is led out at their next action', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 (POST \/rest\/v1\/rpc\/get_users|POST \/functions\/v1\/delete-user|GET \/api\/admin\/)/)
  const admin = await grantAdmin(product, await person())
  const other = await person({ fullName: 'Zoé Reader' })
  const page = await visit({ as: admin, at: '/admin/users' })
  await expect(page.getByRole('cell', { name: other.email })).toBeVisible()
  await revokeAdminAt(page, product, admin, (request) => request.postData()?.includes('zo') ?? false)
  await page.getByLabel('Search users').fill('zoé')
  await expect(page).toHaveURL(/\/admin\/login\?next=%2Fadmin%2Fusers%3Fsearch%3Dzo/)
  await expect(page.getByText(`You are signed in as ${admin.email}, which isn’t an admin account.`)).toBeVisible()

  await grantAdmin(product, admin)
  await page.goto('/admin/users?search=zo%C3%A9')
  const row = page.getByRole('row').filter({ hasText: other.email })
  await row.getByRole('button', { name: 'Delete' }).click()
  await revokeAdminAt(page, product, admin, (request) => request.url().endsWith('/delete-user'))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click()
  await expect(page).toHaveURL(/\/admin\/login\?next=/)
  const [left] = await product.db`select 1 from auth.users where id = ${other.id}`
  expect(left).toBeDefined()
})

test('signing out of the admin area ends the session in every tab', async ({ person, visit, product }) => {
  const page = await visit({ as: await grantAdmin(product, await person()), at: '/admin' })
  const tab = await page.context().newPage()
  await tab.goto('/admin/audit-log')
  await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
  await menu(page).open()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(tab).toHaveURL(/\/admin\/login\?next=%2Fadmin%2Faudit-log$/)
})
