import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { SESSION_KEY } from '../../web/src/lib/session/stored-session.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn, menu } from '../support/page-objects.ts'
import { PASSWORD, type Person } from '../support/people.ts'
import type { Product } from '../support/product.ts'
import { IPHONE_USER_AGENT, SERVER_ERROR } from '../support/test-data.ts'

test.describe.configure({ mode: 'parallel' })

const PROFILE = '/dashboard/profile'
/** Makes all sessions of a person a day old. */
const ageSessions = ({ db }: Product, { id }: Person) => db`
  update auth.sessions
  set amr = ${db.json([{ method: 'password', timestamp: Math.floor(Date.now() / 1000) - 86_400 }])}
  where user_id = ${id}`

const storedSession = (page: Page) => page.evaluate(`localStorage.getItem('${SESSION_KEY}')`)

test('the full name is required, and a new one is shown in the navigation at once', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person({ fullName: 'Alex Tremblay' })
  const page = await visit({ as: owner, at: '/dashboard' })
  const account = page.getByRole('banner').getByRole('link', { name: 'View profile' })
  await expect(account).toContainText('Alex Tremblay')
  await account.click()
  await expect(page).toHaveURL(new RegExp(`${PROFILE}$`))
  await expect(account).toHaveAttribute('aria-current', 'page')

  const name = page.getByLabel('Full Name')
  await expect(name).toHaveValue('Alex Tremblay')
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(owner.email)
  await expect(page.getByLabel('Email', { exact: true })).not.toBeEditable()
  for (const empty of ['', '   ']) {
    await name.fill(empty)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(name).toHaveAccessibleDescription('Please enter your full name.')
    await expect(name).toBeFocused()
  }
  await name.fill('x'.repeat(101))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(name).toHaveAccessibleDescription('This name is too long. Please use 100 characters at most.')

  await name.fill('  Alix Gagnon ')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await expect(name).toHaveValue('  Alix Gagnon ')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile updated!')).toBeVisible()
  await expect(account).toContainText('Alix Gagnon')
  await page.reload()
  await expect(name).toHaveValue('Alix Gagnon')
})

test('email preferences are saved, and go back when they cannot be', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^500 PATCH \/api\/preferences/)
  const page = await visit({ as: await person(), at: PROFILE })
  const mails = page.getByRole('checkbox', { name: /^Email me new messages/ })
  const text = page.getByRole('checkbox', { name: /^Include the message’s text in the email/ })
  await expect(mails).toBeChecked()
  await expect(text).toBeChecked()
  await text.click()
  await expect(text).not.toBeChecked()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await mails.click()
  await expect(mails).not.toBeChecked()
  await expect(text).toBeEnabled()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.reload()
  await expect(mails).not.toBeChecked()
  await expect(text).toBeEnabled()

  const gate = Promise.withResolvers<void>()
  await page.route('**/api/preferences', async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    await gate.promise
    await route.fulfill({ status: 500, json: SERVER_ERROR })
  })
  await mails.click()
  await expect(mails).toBeChecked() // at once
  gate.resolve()
  await expect(page.getByText(SERVER_ERROR.error)).toBeVisible()
  await expect(mails).not.toBeChecked()
})

test('the language applies to the pages and to emails', async ({ person, visit, product }) => {
  const owner = await person({ locale: 'en' })
  const page = await visit({ as: owner, at: PROFILE })
  await page.getByLabel('Language', { exact: true }).selectOption('Français')
  await expect(page).toHaveURL(new RegExp(`/fr${PROFILE}$`))
  await expect(page.getByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()
  await expect(page.getByLabel('Langue', { exact: true })).toHaveValue('fr-CA')

  await page.getByRole('button', { name: 'Réinitialiser par courriel' }).click()
  await expect(page.getByText('Courriel de réinitialisation envoyé!')).toBeVisible()
  const mail = (await product.inbox.to(owner.email, 2)).at(-1)
  expect(mail?.parsed.subject).toContain('mot de passe')
  await page.goto(/https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.parsed.text ?? '')?.[0] ?? 'no link in the mail')
  await expect(page).toHaveURL(/\/fr\/reset-password/)
  await expect(page.getByRole('heading', { name: 'Choisissez un nouveau mot de passe' })).toBeVisible()
})

test('the password reset email arrives, and after too many another one has to wait', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^429 POST \/auth\/v1\/recover/)
  const owner = await person()
  const page = await visit({ as: owner, at: PROFILE })
  const send = page.getByRole('button', { name: 'Send password reset email' })
  await send.click()
  await expect(page.getByText('Password reset email sent!')).toBeVisible()
  await expect(page.getByText(`Open the link we sent to ${owner.email}.`)).toBeVisible()
  const mail = (await product.inbox.to(owner.email, 2)).at(-1)
  expect(mail?.parsed.text).toContain(encodeURIComponent(`${product.url}/reset-password`))

  // these tests have a thousand times the product’s limits
  await page.route('**/auth/v1/recover*', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '42', 'x-supabase-api-version': '2024-01-01' },
      json: { code: 'over_email_send_rate_limit', message: 'You can only request this after 42 seconds.' },
    }),
  )
  await send.click()
  await expect(page.getByRole('alert').filter({ hasText: /You can try again in 4[12] seconds\./ })).toBeVisible()
})

test('other devices are listed and can be signed out', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//, /^40[03] POST \/auth\/v1\/(token|logout)/)
  const owner = await person()
  const phone = await visit({ at: '/login?next=%2Fdashboard%2Fmessages', options: { userAgent: IPHONE_USER_AGENT } })
  await logIn(phone, owner.email)
  await expect(phone.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible()
  const page = await visit({ at: `/login?next=${encodeURIComponent(PROFILE)}` })
  await logIn(page, owner.email)

  const devices = page.getByRole('region', { name: 'Where you’re signed in' })
  const items = devices.getByRole('listitem')
  await expect(items.filter({ hasText: 'This device' })).toContainText(/^Chrome on Linux.*Active now/)
  await expect(items.filter({ hasText: 'Safari on iPhone' })).toContainText('Last active')
  await expect(items.filter({ hasText: 'Safari on iPhone' })).not.toContainText('This device')

  const button = devices.getByRole('button', { name: 'Sign out other devices' })
  await button.click()
  const dialog = page.getByRole('alertdialog', { name: 'Sign out your other devices?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await button.click()
  await dialog.getByRole('button', { name: 'Sign out other devices' }).click()
  await expect(page.getByText('Your other devices are signed out.')).toBeVisible()
  await expect(items).toHaveCount(1)
  await expect(devices).toContainText('You’re signed in on this device only.')
  await expect(phone).toHaveURL(/\/login\?next=%2Fdashboard%2Fmessages$/)
  await page.reload()
  await expect(items).toHaveCount(1)
})

test('whatever fails to load can be retried', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^400 GET \/api\/(sessions|preferences)/)
  const page = await visit({ as: await person() })
  const json = { error: 'Please check what you entered.', code: 'invalid_input' }
  for (const [path, region, there] of [
    ['sessions', 'Where you’re signed in', 'This device'],
    ['preferences', 'Language and email', 'Email me new messages'],
  ] as const) {
    const gate = Promise.withResolvers<void>()
    await page.route(`**/api/${path}*`, async (route) => {
      await gate.promise
      await route.fulfill({ status: 400, json })
    })
    await page.goto(PROFILE)
    const section = page.getByRole('region', { name: region })
    await expect(section.getByText('Loading…')).toBeAttached()
    gate.resolve()
    await expect(section.getByRole('alert')).toContainText(json.error)
    await page.unroute(`**/api/${path}*`)
    await section.getByRole('button', { name: 'Try again' }).click()
    await expect(section.getByText(there)).toBeVisible()
  }
})

test('the data export is a file without the people on the other side @always', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const [owner, other] = [await person({ fullName: 'Maya Owner' }), await person({ fullName: 'Sam Secretive' })]
  const [mine, theirs] = [await owner.registerVehicle(), await other.registerVehicle()]
  await other.sendMessage(mine.plate, 'Your trunk is open.')
  await owner.sendMessage(theirs.plate, 'Your lights are on.')
  const page = await visit({ as: owner, at: PROFILE })
  const button = page.getByRole('button', { name: 'Download my data' })
  await page.context().setOffline(true)
  await button.click()
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)
  const downloading = page.waitForEvent('download')
  await button.click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^platenote-export-\d{4}-\d\d-\d\d\.json$/)
  await expect(page.getByText('Your data has been downloaded.')).toBeVisible()
  const text = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(text)).toBeInstanceOf(Object)
  for (const own of ['Your trunk is open.', 'Your lights are on.', mine.plate, owner.email, 'Maya Owner']) {
    expect(text).toContain(own)
  }
  for (const secret of [other.id, other.email, 'Sam Secretive', theirs.id]) expect(text).not.toContain(secret)
})

test('a part of the page whose code does not load says so by itself, and is tried again', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/AccountEventPages/)
  const page = await visit({ as: await person() })
  const code = '**/assets/AccountEventPages-*.js'
  await page.route(code, (route) => route.abort())
  await page.goto(PROFILE)
  const events = page.getByRole('region', { name: 'Recent logins' })
  await events.getByRole('heading').scrollIntoViewIfNeeded()
  await expect(events.getByRole('alert')).toContainText('No connection to PlateNote.')
  await expect(page.getByRole('button', { name: 'Download my data' })).toBeVisible()
  await page.unroute(code)
  await events.getByRole('button', { name: 'Try again' }).click()
  await expect(events.getByRole('listitem').first()).toBeVisible()
})

test('an old session asks for the password first, and stays unchanged', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 GET \/api\/export/, /^400 POST \/auth\/v1\/token/)
  const owner = await person()
  const page = await visit({ as: owner, at: PROFILE })
  const tab = await page.context().newPage()
  await tab.goto('/send')
  await tab.getByLabel('License Plate').fill('DRAFT1')
  await ageSessions(product, owner)
  const before = await storedSession(page)
  const sessions = async () => (await product.db`select id from auth.sessions where user_id = ${owner.id}`).length
  const count = await sessions()

  await page.getByRole('button', { name: 'Download my data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  const password = dialog.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(password).toHaveAccessibleDescription('Please enter a password.')
  await password.fill('Wrong-horse-7')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(password).toHaveAccessibleDescription('That password isn’t right.')
  await expect(password).toBeFocused()

  const downloading = page.waitForEvent('download')
  await password.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  expect(text).toContain(owner.email)
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Your data has been downloaded.')).toBeVisible()

  await expect.poll(sessions).toBe(count) // the one opened for it has ended
  expect(await storedSession(page)).toBe(before)
  await tab.reload()
  await expect(tab.getByLabel('License Plate')).toHaveValue('DRAFT1')
})

test('deleting the account from an old session asks for the password, and nothing is deleted without it', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 POST \/functions\/v1\/delete-user/, /^40[013] (GET|POST) \/(api|auth)\//)
  const owner = await person()
  const page = await visit({ as: owner, at: PROFILE })
  await ageSessions(product, owner)
  const ask = page.getByRole('button', { name: 'Delete my account' })
  await ask.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  await expect(dialog).toContainText('Deleting an account can’t be undone.')
  const password = dialog.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await password.fill('Wrong-horse-7')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(password).toHaveAccessibleDescription('That password isn’t right.')
  expect(await product.db`select from auth.users where id = ${owner.id}`).toHaveLength(1)
  await password.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Account deleted.')).toBeVisible()
  expect(await product.db`select from auth.users where id = ${owner.id}`).toHaveLength(0)
  expect(await storedSession(page)).toBeNull()
})

test('deleting the account asks first, ends every session and keeps the sent messages @always', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^401 GET \/api\//, /^40[03] POST \/auth\/v1\/(token|logout)/)
  const [owner, other] = [await person(), await person()]
  const theirs = await other.registerVehicle()
  await owner.registerVehicle()
  await owner.sendMessage(theirs.plate, 'A tire of yours is flat.')
  const page = await visit({ as: owner, at: PROFILE })
  const tab = await page.context().newPage()
  await tab.goto('/dashboard/vehicles')
  await expect(tab.getByRole('heading', { level: 1, name: 'My Vehicles' })).toBeVisible()
  const elsewhere = await visit({ as: owner, at: '/dashboard' })
  await expect(elsewhere.getByRole('heading', { level: 1 })).toBeVisible()

  const ask = page.getByRole('button', { name: 'Delete my account' })
  await ask.click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
  await expect(dialog).toContainText('Messages you sent stay with the people who received them')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(ask).toBeFocused()
  await ask.click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()

  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(page.getByText('Account deleted.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible()
  expect(await storedSession(page)).toBeNull()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Account deleted.')).toBeHidden() // it is announced once
  await expect(tab).toHaveURL(/\/login\?next=%2Fdashboard%2Fvehicles$/)
  await expect(elsewhere).toHaveURL(/\/login\?next=%2Fdashboard$/)

  await page.goto('/login')
  await logIn(page, owner.email)
  await expect(page.getByRole('alert')).toContainText('Invalid login credentials')
  expect((await other.receivedMessages()).map(({ content }) => content)).toContain('A tire of yours is flat.')
})

test('an account that cannot be deleted stays, and it says why', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^409 POST \/functions\/v1\/delete-user/, /net::ERR_INTERNET_DISCONNECTED/)
  const admin = await person()
  await product.db`update auth.users set is_admin = (id = ${admin.id})`
  const page = await visit({ as: admin, at: PROFILE })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: 'Delete my account' })
  await page.context().setOffline(true)
  await confirm.click()
  await expect(dialog.getByRole('alert')).toContainText('No connection to PlateNote.')
  await page.context().setOffline(false)
  await confirm.click()
  await expect(dialog.getByRole('alert')).toContainText('The last admin can’t be deleted.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expect(page.getByLabel('Full Name')).toHaveValue(admin.fullName)
})

test('the account is deleted in French, on a phone @phone', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//, /^40[03] POST \/auth\/v1\/(token|logout)/)
  const page = await visit({ as: await person({ locale: 'fr-CA' }), at: '/fr/dashboard' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await menu(page).open()
  await page.getByRole('link', { name: 'Voir le profil' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await page.getByRole('button', { name: 'Supprimer mon compte' }).tap()
  const dialog = page.getByRole('alertdialog', { name: 'Supprimer votre compte?' })
  await dialog.getByRole('button', { name: 'Supprimer mon compte' }).tap()
  await expect(page).toHaveURL(/localhost:\d+\/fr$/)
  await expect(page.getByText('Compte supprimé.')).toBeVisible()
})
