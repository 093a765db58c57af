import type { Page } from '@playwright/test'
import { sample } from '../../scripts/lib/sample.mjs'
import { newId } from '../../server/src/db/ids.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'
import { newPlate, type Person } from '../support/people.ts'
import { SERVER_ERROR } from '../support/test-data.ts'

const disputeEntry = (page: Page, plate: string) => page.getByRole('listitem', { name: `Dispute over ${plate}` })

/** Creates two people who register the same plate; the second writes it with a hyphen. */
async function createDispute(person: () => Promise<Person>) {
  const [holder, challenger] = [await person(), await person()]
  const { plate } = await holder.registerVehicle(newPlate(), 'Quebec')
  const other = await challenger.registerVehicle(`${plate.slice(0, 3)}-${plate.slice(3)}`, 'Quebec')
  return { holder, challenger, plate, challenged: other.plate }
}

for (const size of sample.pick('settling a dispute', ['', ' @phone'])) {
  test(`an admin settles a dispute, and both sides see it at once${size} @always`, async ({
    person,
    visit,
    product,
  }) => {
    const admin = await grantAdmin(product, await person())
    await product.db`delete from vehicles` // those of other tests
    const page = await visit({ as: admin, at: '/admin/disputes' })
    await expect(page.getByText('No open disputes.')).toBeVisible()

    const { holder, challenger, plate, challenged } = await createDispute(() => person())
    const [holders, challengers] = [await visit({ as: holder }), await visit({ as: challenger })]
    for (const one of [holders, challengers]) await one.goto('/dashboard/notifications')
    await expect(holders.getByRole('link', { name: `Someone else registered plate ${plate}` })).toBeVisible()
    await expect(challengers.getByText('No notifications.')).toBeVisible()
    await page.reload()
    await menu(page).open()
    await expect(menu(page).link('Disputes')).toContainText('1 open dispute')
    await menu(page).link('Disputes').click()
    const entry = disputeEntry(page, challenged)
    const [left, right] = [
      entry.getByRole('region', { name: 'Current holder' }),
      entry.getByRole('region', { name: 'Challenger' }),
    ]
    await expect(left.getByRole('img', { name: `plate ${plate}, Quebec` })).toBeVisible()
    await expect(right.getByRole('img', { name: `plate ${challenged}, Quebec` })).toBeVisible()
    for (const [side, owner] of [
      [left, holder],
      [right, challenger],
    ] as const) {
      await expect(side).toContainText('Honda Civic 2020')
      await expect(side).toContainText('Alex Tremblay')
      await expect(side).toContainText(owner.email)
      await expect(side).toContainText('Pending Verification')
    }
    await expect(entry).toContainText(/Documents due \w+, \w+ \d+, \d{4}/)
    await expect(entry).toContainText(/\d+ days left/)

    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await entry.getByLabel('Documents received').click()
    await expect(entry).toContainText(/Received \w{3} \d+, \d{4} \d+:\d\d [AP]M\./)
    await saved // it is shown before it is saved
    await page.reload()
    await expect(entry.getByLabel('Documents received')).toBeChecked()
    await expect(entry).not.toContainText('days left')

    await right.getByRole('button', { name: 'Approve this side' }).click()
    const confirmation = page.getByRole('alertdialog', { name: `Approve ${challenged} for this owner?` })
    await expect(confirmation).toContainText(`${challenger.email} becomes the verified owner.`)
    await expect(confirmation).toContainText(`The registration of ${holder.email} is deleted.`)
    await confirmation.getByRole('button', { name: 'Approve and delete the other' }).click()
    await expect(page.getByText('Vehicle approved; dispute cleared & peer deleted')).toBeVisible()
    await expect(page.getByText('No open disputes.')).toBeVisible()
    await menu(page).open()
    await expect(menu(page).link('Disputes')).not.toContainText('open dispute')

    // both have had their pages open all the time
    await expect(holders.getByRole('link', { name: `Your vehicle (${plate}) was deleted` })).toBeVisible()
    await expect(challengers.getByRole('link', { name: `Your vehicle (${challenged}) was approved` })).toBeVisible()
    const subjects = async ({ email }: Person) =>
      (await product.inbox.to(email, 3)).map(({ parsed }) => parsed.subject).slice(1)
    expect(await subjects(holder)).toEqual([
      expect.stringMatching(`^Action needed by .+: someone else registered plate ${plate}$`),
      `Your registration of plate ${plate} was removed`,
    ])
    expect(await subjects(challenger)).toEqual([
      expect.stringMatching(`^One more step by .+: show that plate ${challenged} is yours$`),
      `Your plate ${challenged} is verified`,
    ])

    await page.goto(`/admin/vehicles?plate=${plate}`)
    await expect(page.getByText('1 vehicle shown')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Vehicles' }).getByText('Verified', { exact: true })).toBeVisible()
    await page.goto('/admin/audit-log')
    const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
    await expect(entries.filter({ hasText: `${challenged}, Quebec` })).toContainText([
      'Vehicle approved',
      'Documents marked as received',
    ])
    await expect(entries.first()).toContainText(admin.email)
  })
}

test('documents and decisions are undone when the server fails, and each side links to its vehicles', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^500 (PATCH|POST) \/api\/admin\//)
  const admin = await grantAdmin(product, await person())
  const { plate, challenged } = await createDispute(() => person())
  await product.db`update plate_disputes set documents_due_at = now() + interval '3 days' where plate = ${challenged}`
  const page = await visit({ as: admin, at: '/admin/disputes' })
  const entry = disputeEntry(page, challenged)
  await expect(entry).toContainText('3 days left')

  const gate = Promise.withResolvers<void>()
  const failRequests = async (url: string) =>
    page.route(url, async (route) => {
      await gate.promise
      await route.fulfill({ status: 500, json: SERVER_ERROR })
    })
  await failRequests('**/api/admin/disputes/*')
  await failRequests('**/api/admin/vehicles/*/approve')
  const documents = entry.getByLabel('Documents received')
  await documents.click()
  await expect(documents).toBeChecked()
  gate.resolve()
  await expect(documents).not.toBeChecked()
  await expect(page.getByText(SERVER_ERROR.error)).toBeVisible()
  await entry.getByRole('region', { name: 'Current holder' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve and delete the other' }).click()
  await expect(page.getByText(SERVER_ERROR.error)).toHaveCount(2)
  await expect(entry).toBeVisible()
  await page.unrouteAll()

  await documents.click()
  await expect(entry).toContainText('Received ')
  await documents.click()
  await expect(entry).toContainText('3 days left')
  await entry.getByRole('region', { name: 'Challenger' }).getByRole('link', { name: 'See in Vehicles' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/vehicles\\?plate=${challenged}$`))
  await expect(page.getByText('2 vehicles shown')).toBeVisible() // hyphens are ignored
  await expect(page.getByText('In dispute: current holder')).toBeVisible()
  await expect(page.getByText('In dispute: challenger')).toBeVisible()

  // the list of vehicles also asks before an approval in a dispute
  const holders = page.getByRole('main').getByRole('listitem').filter({ hasText: 'In dispute: current holder' })
  await holders.getByRole('button', { name: 'Approve' }).click()
  const confirmation = page.getByRole('alertdialog', { name: `Approve ${plate} for this owner?` })
  await expect(confirmation).toContainText('the other registration of this plate is deleted')
  await confirmation.getByRole('button', { name: 'Approve and delete the other' }).click()
  await expect(page.getByText('Vehicle approved; dispute cleared & peer deleted')).toBeVisible()
  await expect(page.getByText('1 vehicle shown')).toBeVisible()
})

test('un refus motivé donne raison à l’autre partie, et tout figure au journal', async ({ person, visit, product }) => {
  const french = () => person({ locale: 'fr-CA' })
  const admin = await grantAdmin(product, await french())
  const { holder, challenger, plate, challenged } = await createDispute(french)
  const page = await visit({ as: admin, at: '/fr/admin/disputes' })
  const litige = page.getByRole('listitem', { name: `Litige sur ${challenged}` })
  await litige.getByRole('region', { name: 'Demandeur' }).getByRole('button', { name: 'Refuser' }).click()
  const dialog = page.getByRole('dialog', { name: `Refuser ${challenged}` })
  await expect(dialog).toContainText('Cette plaque fait l’objet d’un litige : l’autre partie la gardera.')
  await dialog.getByLabel('Motif').fill('Le certificat est au nom de\nquelqu’un d’autre.')
  await dialog.getByRole('button', { name: 'Envoyer le refus' }).click()
  await expect(page.getByText('Véhicule refusé et courriel envoyé')).toBeVisible()
  await expect(litige).toHaveCount(0)

  const mails = await product.inbox.to(challenger.email, 3)
  expect(mails[2]?.parsed.text).toContain('quelqu’un d’autre.')
  const theirs = await visit({ as: holder, at: '/fr/dashboard/vehicles' })
  await expect(theirs.getByRole('img', { name: plate })).toBeVisible()
  await expect(theirs.getByText('Actif', { exact: true })).toBeVisible()

  // done by no admin
  await product.db`
    insert into audit_log (id, action, subject, subject_id) values
      (${newId()}, 'admin_granted', 'a•••@example.com', ${admin.id}),
      (${newId()}, 'dispute_overdue', ${`${plate} · Prince Edward Island`}, ${admin.id})`
  await page.goto('/fr/admin/audit-log')
  const entry = page.getByRole('list', { name: 'Journal d’audit' }).getByRole('listitem')
  const rejected = entry.filter({ hasText: `${challenged}, Québec` })
  await expect(rejected).toContainText('Véhicule refusé')
  await expect(rejected).toContainText('Motif : Le certificat est au nom de')
  await expect(rejected).toContainText(admin.email)
  await expect(rejected).toContainText(/\d+ \S+ \d{4}, \d+\sh\s\d\d/)
  await expect(entry.filter({ hasText: 'a•••@example.com' })).toContainText('Ligne de commande')
  await expect(entry.filter({ hasText: `${plate}, Île-du-Prince-Édouard` })).toContainText('PlateNote')
})
