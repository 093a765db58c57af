import type { Locator, Page } from '@playwright/test'
import { newId } from '../../server/src/db/ids.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { menu, SERVER_ERROR } from '../support/page-objects.ts'
import type { Person } from '../support/people.ts'
import type { Product } from '../support/product.ts'

/** Stores an email that the mail server has refused. */
async function giveUpMail({ db }: Product, { id: recipientId }: Person): Promise<string> {
  const [vehicle] = await db<{ id: string }[]>`select id from vehicles where user_id = ${recipientId}`
  const mail = { id: newId(), kind: 'vehicle_approved', ref_id: vehicle!.id, recipient_id: recipientId }
  await db`insert into outbox ${db({ ...mail, failed_at: new Date(), last_error: 'smtp_550' })}`
  return mail.id
}

const recordBackup = ({ db }: Product, ok = true) =>
  db`insert into operations_runs (name, started_at, ended_at, ok, is_encrypted) values ('backup', clock_timestamp(), clock_timestamp(), ${ok}, true)`

const failedMails = (page: Page): Locator => page.getByRole('list', { name: 'Failed emails' }).getByRole('listitem')

test('an admin sees what needs doing, and sends failed emails again', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(/^400 GET \/api\/admin\/health/)
  const admin = await grantAdmin(product, await person())
  await product.db`delete from operations_runs`
  await product.db`delete from outbox where failed_at is not null`
  const page = await visit({ as: admin, at: '/admin' })
  await menu(page).open()
  await menu(page).link('System').click()
  await expect(page).toHaveURL(/\/admin\/system$/)
  const warnings = page.getByRole('status').filter({ hasText: 'platenote backup' })
  await expect(warnings).toContainText('1 thing needs doing')
  await expect(warnings).toContainText('No backup is known')
  const figures = page.getByText('Everything else is running.')
  await figures.click()
  await expect(page.getByRole('region', { name: 'Database and backups' })).toContainText('None known')
  await recordBackup(product)

  const owners = [await person(), await person(), await person()]
  for (const owner of owners) {
    await owner.registerVehicle()
    await giveUpMail(product, owner)
  }
  await page.reload()
  await expect(failedMails(page)).toHaveCount(3)
  await expect(failedMails(page).first()).toContainText('Vehicle approved')
  await expect(failedMails(page).first()).toContainText('Refused by the mail server (550)')
  for (const { email } of owners) await expect(page.getByRole('main')).not.toContainText(email)
  await failedMails(page).first().getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('1 email is being sent')).toBeVisible()
  await expect(failedMails(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Send all again' }).click()
  await expect(page.getByText('2 emails are being sent')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Failed emails' })).toHaveCount(0)
  for (const { email } of owners) await product.inbox.to(email)
  await expect(page.getByText(/need(s)? doing/)).toHaveCount(0)
  await page.getByText('Everything is running.').click()
  await expect(page.getByRole('region', { name: /^Web and worker / })).toContainText(/\d+ of \d+ in use, \d+ waiting/)
  const jobs = page.getByRole('region', { name: 'Background jobs' })
  await expect(jobs.getByRole('definition')).not.toHaveCount(0)

  // what cannot be updated stays, with its time
  await page.clock.install()
  await page.goto('/admin/system')
  await expect(page.getByText(/^As of /)).toBeVisible()
  await page.route('**/api/admin/health', (route) => route.fulfill({ status: 400, json: SERVER_ERROR }))
  await page.clock.runFor('01:00')
  await expect(page.getByText(/^Can’t be updated right now\. As of /)).toBeVisible()
  await expect(page.getByText('Everything is running.')).toBeVisible()

  // the dashboard: what waits, the provinces as bars, and the last twelve weeks
  await page.goto('/admin')
  await expect(page.getByRole('main').getByText(/waiting for a decision/i)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Vehicles by province' }).getByRole('row')).toHaveCount(11)
  await expect(page.getByRole('region', { name: 'The last 12 weeks' }).getByRole('figure')).toHaveCount(3)
  await page.getByText('Show the numbers').click()
  await expect(page.getByRole('table', { name: 'The last 12 weeks' }).getByRole('row')).toHaveCount(13)
})
