import { readFile } from 'node:fs/promises'
import { expect, test } from '../support/fixtures.ts'
import { IPHONE_USER_AGENT, logIn, SERVER_ERROR, sessionToken } from '../support/page-objects.ts'
import { emailedCode, PASSWORD } from '../support/people.ts'

test.describe.configure({ mode: 'parallel' })

const PROFILE = '/dashboard/profile'

test('email preferences are saved or go back', async ({ person, product, visit, pageGuard }) => {
  pageGuard.allow(/^500 PATCH \/api\/preferences/)
  const owner = await person()
  const page = await visit({ as: owner, at: `${PROFILE}/notifications` })
  const answers = page.getByRole('checkbox', { name: /^Reply from emails without logging in/ })
  await expect(answers).toBeChecked()
  await Promise.all([page.waitForResponse('**/api/preferences'), answers.click()])
  await (await person()).sendMessage((await owner.registerVehicle()).plate, 'Your lights are on')
  const mail = (await product.inbox.to(owner.email, 2))[1]!.parsed.text // the first confirmed the address
  expect(mail).toContain('Your lights are on')
  expect(mail).not.toContain('/answer#')
  const mails = page.getByRole('checkbox', { name: /^Email me new messages/ })
  const text = page.getByRole('checkbox', { name: /^Include the message’s text/ })
  await expect(mails).toBeChecked()
  await mails.click()
  await expect(mails).not.toBeChecked()
  await expect(text).toBeEnabled()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.reload()
  for (const box of [mails, answers]) await expect(box).not.toBeChecked()

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

test('a part whose code does not load says so, and is tried again', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/NewAddressForm/)
  const page = await visit({ as: await person(), at: PROFILE })
  const code = '**/assets/NewAddressForm-*.js'
  await page.route(code, (route) => route.abort())
  const details = page.getByRole('region', { name: 'Your details' })
  await details.getByRole('button', { name: 'Change email address' }).click()
  await expect(details.getByText('No connection to PlateNote.')).toBeVisible()
  await page.unroute(code)
  await details.getByRole('button', { name: 'Try again' }).click()
  await expect(details.getByLabel('New email address')).toBeFocused()
})

test('other devices are listed and can be signed out', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//, /^40[03] POST \/auth\/v1\/session/)
  const owner = await person()
  const phone = await visit({ at: '/login?next=%2Fdashboard%2Fmessages', options: { userAgent: IPHONE_USER_AGENT } })
  await logIn(phone, owner.email)
  await expect(phone.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible()
  const page = await visit({ at: `/login?next=${encodeURIComponent(`${PROFILE}/security`)}` })
  await logIn(page, owner.email)

  const devices = page.getByRole('region', { name: 'Where you’re signed in' })
  const items = devices.getByRole('listitem')
  await expect(items.filter({ hasText: 'This device' })).toContainText(/^Chrome on Linux.*Active now/)
  await expect(items.filter({ hasText: 'Safari on iPhone' })).toContainText(/Active .* ago|Active now/)
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
  await expect(button).toHaveCount(0)
  await expect(phone).toHaveURL(/\/login\?next=%2Fdashboard%2Fmessages$/)
  await page.reload()
  await expect(items).toHaveCount(1)
})

test('an old session asks for password or code before the export', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^403 GET \/api\/export/, /^400 POST \/auth\/v1\/token/)
  const owner = await person()
  const page = await visit({ as: owner, at: `${PROFILE}/data` })
  const tab = await page.context().newPage()
  await tab.goto('/send')
  await tab.getByLabel('License Plate').fill('DRAFT1')
  await owner.ageSessions()
  const before = await sessionToken(page)
  const sessions = async () => (await product.db`select id from auth.sessions where user_id = ${owner.id}`).length
  const count = await sessions()

  await page.getByRole('button', { name: 'Download my data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
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
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^platenote-export-\d{4}-\d\d-\d\d\.json$/)
  expect(await readFile(await download.path(), 'utf8')).toContain(owner.email)
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Your data has been downloaded.')).toBeVisible()

  await expect.poll(sessions).toBe(count) // the one opened for it has ended
  expect(await sessionToken(page)).toBe(before)
  await tab.reload()
  await expect(tab.getByLabel('License Plate')).toHaveValue('DRAFT1')

  // who has forgotten the password
  await owner.ageSessions()
  await page.getByRole('button', { name: 'Download my data' }).click()
  const again = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Email me a code instead' }).click()
  await expect(dialog.getByLabel('Six-digit code')).toBeFocused()
  await page.keyboard.type(await emailedCode(product, owner.email, 2))
  await again
})
