import type { Page } from '@playwright/test'
import { grantAdmin } from '../support/admins.ts'
import { horizontalOverflow } from '../support/axe-audit.ts'
import { expect, test } from '../support/fixtures.ts'
import { invalidImage, photo } from '../support/image-files.ts'
import { SERVER_ERROR, simulateTabReturn, vehicleForm } from '../support/page-objects.ts'
import { HOSTILE, newPlate, type Person } from '../support/people.ts'

const INCUMBENT = 'Someone else has registered this plate'
const CHALLENGER = 'Another account already has this plate'

/** Locates the notice about the dispute, on the dashboard and on the vehicle's card. */
const disputeNotice = (page: Page, title: string) => page.getByRole('region', { name: title })

/** Locates the fields for the two documents. */
const documentField = (page: Page, name: string) =>
  page.locator('input[type=file]:not([capture])').and(page.getByLabel(name))

/** Formats the due date of documents as every page and email does. */
const formatDue = (due: Date) =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'full', timeZone: 'America/Toronto' }).format(due)

/** Registers a plate for the first person, verified on request, and then for the second. */
async function createDispute(first: Person, second: Person, verifiedBy?: Person) {
  const held = await first.registerVehicle(newPlate(), 'Quebec')
  await verifiedBy?.approveVehicle(held)
  return { held, challenging: await second.registerVehicle(held.plate, 'Quebec') }
}

test('both sides of a dispute read what to send, where and by when, and one of them withdraws @phone', async ({
  person,
  visit,
  product,
  pageGuard,
  audit,
}) => {
  pageGuard.allow(/^400 POST \/api\/vehicles\/.*\/documents/)
  const [first, second] = [await person(), await person()]
  const { plate } = await first.registerVehicle(newPlate(), 'Quebec')
  const theirs = await visit({ as: first, at: '/dashboard', options: { timezoneId: 'America/St_Johns' } })
  await expect(theirs.getByText('Active', { exact: true })).toBeVisible()
  await second.registerVehicle(plate, 'Quebec')
  await simulateTabReturn(theirs) // the page has been open all the time
  await expect(theirs.getByText('Pending Verification')).toBeVisible()
  const page = await visit({ as: second })

  const [row] = await product.db<{ due: Date }[]>`
    select documents_due_at as due from plate_disputes where plate = ${plate}`
  const due = formatDue(new Date(row?.due ?? 0))
  const outcomes = [
    [
      theirs,
      INCUMBENT,
      'nobody can message this plate',
      'If only the other person proves it’s theirs, your registration and its messages are deleted.',
    ],
    [
      page,
      CHALLENGER,
      'you don’t receive messages for it',
      'If nothing comes from you by that date, your registration is rejected.',
    ],
  ] as const
  for (const [screen, title, meanwhile, outcome] of outcomes) {
    await screen.goto('/dashboard')
    const notice = disputeNotice(screen, title)
    await expect(notice).toContainText(`Send two documents by ${due}.`)
    await notice.getByRole('link', { name: 'See what to do' }).click()
    await expect(screen).toHaveURL(/\/dashboard\/vehicles\/[0-9a-f-]{36}\/dispute$/)
    await screen.reload() // the link in the email opens it too
    await expect(screen.getByText(`Until we know who it belongs to, ${meanwhile}.`)).toBeVisible()
    const main = screen.getByRole('main')
    await expect(main.getByRole('status').first()).toHaveText(`Send two documents by ${due} (11:59 PM, Eastern time).`)
    await expect(main).toContainText(title)
    await expect(main).toContainText(outcome)
    await expect(main.getByText('expiry date and the last 6 characters of the VIN readable')).toBeVisible()
    await main.getByText('Another way').click()
    await expect(main.getByRole('link', { name: 'Email support@platenote.ca' })).toHaveAttribute(
      'href',
      `mailto:support@platenote.ca?subject=Verification%20of%20plate%20${plate}`,
    )
  }
  // the one sends both documents with one button, which says what is missing
  const [licence, registration] = [documentField(theirs, 'Driver’s licence'), documentField(theirs, 'Registration')]
  const send = theirs.getByRole('button', { name: 'Send', exact: true })
  await licence.setInputFiles(invalidImage(500))
  await expect(theirs.getByText('Choose another file')).toHaveCount(1)
  await send.click()
  await expect(registration).toBeFocused()
  await expect(registration).toHaveAccessibleDescription(/Add your registration\.$/)
  await registration.setInputFiles(await photo(400))
  await send.click()
  await expect(licence).toHaveAccessibleDescription(/isn’t a photo or PDF/)
  await audit(theirs, 'a document that is refused')
  await licence.setInputFiles(await photo(300))
  await send.click()
  await expect(theirs.getByText('Your documents have arrived', { exact: true })).toBeVisible()
  await expect(theirs.getByText(`The other side has until ${due} (11:59 PM, Eastern time).`)).toBeVisible()
  await expect(send).toBeHidden()
  await audit(theirs, 'both documents arrived')
  await theirs.getByRole('button', { name: 'Remove Registration' }).click()
  await expect(theirs.getByRole('form', { name: 'Send your documents' })).toBeFocused()
  await expect(registration).toBeVisible()
  await expect(licence).toBeHidden()

  const [dispute] = await product.db`select id from plate_disputes where plate = ${plate}`
  const admin = await grantAdmin(product, await person())
  const inbox = await visit({ as: admin, at: `/admin/inbox/dispute/${dispute!['id']}` })
  await inbox
    .getByRole('button', { name: /: Photo/ })
    .first()
    .click()
  await expect(inbox.getByRole('dialog').locator('img')).toBeVisible()
  await audit(inbox, 'an opened document')

  // who mistyped the plate withdraws
  await page.getByRole('button', { name: 'Not my plate' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Delete ${plate}?` })
  await expect(dialog).toContainText('Your registration of this plate is deleted, and the verification ends.')
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('Vehicle deleted')).toBeVisible()
  await expect(page.getByText('No vehicles yet')).toBeVisible()
  await simulateTabReturn(theirs)
  await expect(theirs.getByRole('status').filter({ hasText: 'This plate isn’t being verified' })).toBeVisible()
  await theirs.getByRole('link', { name: 'See My Vehicles' }).click()
  await expect(theirs.getByText('Active', { exact: true })).toBeVisible()
  await expect(disputeNotice(theirs, INCUMBENT)).toHaveCount(0)
})

test('a verified vehicle stays active, and its owner may sell it', async ({ person, visit, pageGuard, product }) => {
  pageGuard.allow(/^500 DELETE \/api\/vehicles/)
  const [admin, first, second] = [await grantAdmin(product, await person()), await person(), await person()]
  const { held } = await createDispute(first, second, admin)
  const page = await visit({ as: first, at: '/dashboard' })
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  const notice = disputeNotice(page, INCUMBENT)
  await notice.getByRole('link', { name: 'See what to do' }).click()
  await expect(page.getByText('You stay verified and keep receiving messages while we look into it.')).toBeVisible()
  await expect(page.getByText(/^Send two documents by \w+day, /)).toBeVisible()
  await page.goto('/dashboard/vehicles')
  await expect(page.getByText('Verified PlateNote User')).toBeVisible()

  await notice.getByRole('link', { name: 'See what to do' }).click()
  const sold = page.getByRole('button', { name: 'I sold it' })
  const dialog = page.getByRole('alertdialog', { name: `Delete ${held.plate}?` })
  await page.route('**/api/vehicles/*', (route) => route.fulfill({ status: 500, json: SERVER_ERROR }), { times: 1 })
  await sold.click()
  await expect(dialog).toContainText('The plate is then free for its new owner')
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText(`Delete failed: ${SERVER_ERROR.error}`)).toBeVisible()
  await notice.getByRole('link', { name: 'See what to do' }).click() // it is in its list again
  await sold.click()
  await dialog.getByRole('button', { name: 'Delete vehicle' }).click()
  await expect(page.getByText('Vehicle deleted')).toBeVisible()
  await expect(notice).toHaveCount(0)

  const theirs = await visit({ as: second, at: '/dashboard/vehicles' })
  await expect(theirs.getByText('Active', { exact: true })).toBeVisible()
})

test('late documents, a rejection and the end of the time read so', async ({ person, visit, product }) => {
  const [admin, first, second] = [await grantAdmin(product, await person()), await person(), await person()]
  const { held, challenging } = await createDispute(first, second)
  await product.db`
    update plate_disputes set documents_due_at = '2026-03-06T04:59:59Z', documents_received_at = now(),
      documents_received_by = 'mail'
    where challenger_vehicle_id = ${challenging.id}`
  const page = await visit({ as: second, at: '/dashboard/vehicles' })
  const notice = disputeNotice(page, CHALLENGER)
  await expect(notice).toContainText('Your documents have arrived')
  await notice.getByRole('link').click()
  await expect(page.getByText('Your registration waits for a person to decide')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('by then')
  const theirs = await visit({ as: first, at: '/dashboard/vehicles' })
  await expect(disputeNotice(theirs, INCUMBENT)).toContainText('Documents were due Thursday, March 5, 2026.')
  await disputeNotice(theirs, INCUMBENT).getByRole('link').click()
  await expect(
    theirs.getByText(
      'Documents were due Thursday, March 5, 2026 (11:59 PM, Eastern time), and we’re reviewing what we have.',
    ),
  ).toBeVisible()
  await page.goto('/dashboard/vehicles')

  await admin.rejectVehicle(challenging, HOSTILE)
  await expect(page.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(notice).toHaveCount(0)
  await page.goto('/dashboard/notifications')
  await page.getByRole('link', { name: `Your vehicle (${held.plate}) was rejected` }).click()
  const card = page.getByRole('main').getByRole('listitem')
  await expect(card).toBeFocused()
  await expect(card).toContainText('Is it your vehicle? You can register it again.')
  await expect(card).toContainText(`Why it was rejected${HOSTILE}`)
  expect(await horizontalOverflow(page, 'a rejected vehicle')).toEqual([])

  await card.getByRole('link', { name: 'Register again' }).click()
  const form = vehicleForm(page)
  await expect(form.plate).toHaveValue(held.plate)
  await expect(form.model).toHaveValue('Civic')
  await expect(form.year).toHaveValue('2020')
  await expect(form.province).toHaveValue('Quebec')
  await form.button.click()
  await expect(page.getByText('Pending Verification')).toBeVisible()
  await expect(page.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Register again' })).toHaveCount(0) // they have already done so
  await expect(page.getByRole('link', { name: 'Contact support' })).toBeVisible()

  // one that the due date alone ended says so
  const { id, plate } = await first.registerVehicle()
  await product.db`update vehicles set status = 'rejected' where id = ${id}`
  await product.db`
    insert into audit_log (id, action, subject, subject_id) values (gen_random_uuid(), 'dispute_overdue', ${plate}, ${id})`
  await theirs.goto('/dashboard/vehicles')
  const ended = theirs.locator(`[id="${id}"]`)
  await expect(ended).toContainText(
    'This was decided automatically, without a person: the due date passed and we hadn’t recorded any documents from you.',
  )
  await expect(ended.getByRole('link', { name: 'Contact support' })).toBeVisible()
})
