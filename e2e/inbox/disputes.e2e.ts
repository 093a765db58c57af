import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { menu } from '../support/page-objects.ts'
import { newPlate, type Person } from '../support/people.ts'

/** Creates two people who register the same plate; the second writes it with a hyphen. */
async function createDispute(person: () => Promise<Person>) {
  const [holder, challenger] = [await person(), await person()]
  const { plate } = await holder.registerVehicle(newPlate(), 'Quebec')
  const other = await challenger.registerVehicle(`${plate.slice(0, 3)}-${plate.slice(3)}`, 'Quebec')
  return { holder, challenger, plate, challenged: other.plate, claim: other }
}

// as in e2e/quality/translated-pages.e2e.ts
test.describe('where a browser translates the pages', () => {
  test.use({ translation: 'merged' })

  test('an admin settles a dispute, and both sides see it at once @phone', async ({
    audit,
    person,
    visit,
    product,
  }) => {
    const admin = await grantAdmin(product, await person())
    await product.db`delete from vehicles` // those of other tests
    const page = await visit({ as: admin, at: '/admin/inbox?kind=dispute' })
    await expect(page.getByText('Nothing to decide.')).toBeVisible()

    const { holder, challenger, plate, challenged } = await createDispute(() => person())
    const [holders, challengers] = [await visit({ as: holder }), await visit({ as: challenger })]
    for (const one of [holders, challengers]) await one.goto('/dashboard/notifications')
    await expect(holders.getByRole('link', { name: `Someone else registered plate ${plate}` })).toBeVisible()
    await expect(challengers.getByText('No notifications.')).toBeVisible()
    await page.reload()
    await menu(page).open()
    await expect(menu(page).link('Inbox')).toContainText('waiting for a decision')
    await menu(page).link('Inbox').click()
    await page.getByRole('link', { name: challenged }).click()
    const entry = page.getByRole('article')
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
    await audit(page, 'a dispute')

    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await entry.getByLabel('Documents received').click()
    await expect(entry).toContainText(/Received \w{3} \d+, \d{4} \d+:\d\d [AP]M\./)
    await saved // it is shown before it is saved
    await page.reload()
    await expect(entry.getByLabel('Documents received')).toBeChecked()
    await expect(entry).not.toContainText('days left')

    await right.getByRole('button', { name: 'Approve' }).click()
    const confirmation = page.getByRole('alertdialog', { name: `Approve ${challenged} for this owner?` })
    await expect(confirmation).toContainText(`${challenger.email} becomes the verified owner.`)
    await expect(confirmation).toContainText(`The registration of ${holder.email} is deleted.`)
    await confirmation.getByRole('button', { name: 'Approve and delete the other' }).click()
    await expect(page.getByText('Vehicle approved; dispute cleared & peer deleted')).toBeVisible()
    await expect(page.getByRole('main').getByText(challenged)).toHaveCount(0)

    // both have had their pages open all the time
    await expect(holders.getByRole('link', { name: `Your vehicle (${plate}) was deleted` })).toBeVisible()
    await expect(challengers.getByRole('link', { name: `Your vehicle (${challenged}) was approved` })).toBeVisible()
    await menu(challengers).open()
    await expect(menu(challengers).link('Notifications')).toContainText('unread notification')
  })
})

test('what an admin typed is kept when another decides first, and the page says so', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^(404|409) \w+ \/api\/admin\//)
  await product.db`delete from report_cases` // those of other tests
  const [admin, other] = [await grantAdmin(product, await person()), await grantAdmin(product, await person())]
  const { claim, challenged } = await createDispute(() => person())
  const [sender, owner] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const caseId = await owner.reportMessage(await sender.sendMessage(plate, 'I know where you park'), {
    reason: 'threat',
  })

  const page = await visit({ as: admin, at: '/admin/inbox?kind=dispute' })
  await page.getByRole('link', { name: challenged }).click()
  await page.getByRole('region', { name: 'Challenger' }).getByRole('button', { name: 'Reject' }).click()
  await page.getByLabel('Reason').fill('The insurance card is of another car.')
  await other.rejectVehicle(claim, 'Nothing has arrived.')
  await page.getByRole('button', { name: 'Send Rejection' }).click()
  await expect(page.getByRole('article')).toContainText('This is over: it was decided or withdrawn.')
  await expect(page.getByRole('article')).toContainText('The insurance card is of another car.')

  const others = await visit({ as: other })
  for (const [one, reason] of [
    [page, 'Wrote it in anger.'],
    [others, 'A threat is a threat.'],
  ] as const) {
    await one.goto(`/admin/inbox/report/${caseId}`)
    await one.getByRole('radio', { name: 'A new report' }).check()
    await one.getByRole('button', { name: 'Open' }).last().click()
    await one.getByRole('button', { name: 'Warn' }).first().click()
    await one.getByLabel('Reason').fill(reason)
  }
  for (const one of [others, page]) {
    await one.getByRole('button', { name: 'Warn' }).last().click()
    await one.getByRole('button', { name: 'Send now' }).click()
  }
  const refused = page.getByRole('status').filter({ hasText: 'This case is already decided.' })
  await expect(refused).toContainText('Wrote it in anger.')
  await refused.getByRole('button', { name: 'Show it' }).click()
  await expect(page).toHaveURL(new RegExp(caseId))
  await refused.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('Wrote it in anger.')).toHaveCount(0)
})
