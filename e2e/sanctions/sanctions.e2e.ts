import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'
import { UNBROKEN } from '../support/people.ts'
import { textsOf } from '../support/texts.ts'

// Suspension and appeals through the screens (decision sanctions-and-appeals).

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test.beforeEach(({ pageGuard }) => {
  // what a suspended person's app asks for
  pageGuard.allow(/^(401|403) (GET|POST) \/api\//)
  pageGuard.allow(/^(400|403) POST \/auth\/v1\/(token|logout)/)
})

test('a suspended person is thrown out, signs in, reads why, appeals, and another admin lifts it', async ({
  person,
  visit,
  product,
  audit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/session/) // the page that is opened after the suspension
  const locale = 'fr-CA'
  const at = (path: string) => localizedPath(path, locale)
  const t = textsOf(locale)
  const [admin, second, owner] = [await person(), await person({ locale }), await person({ locale })]
  await grantAdmin(product, admin)
  await grantAdmin(product, second)
  const page = await visit({ as: owner, at: at('/dashboard') })
  await expect(page.getByRole('heading', { level: 1, name: /Alex/ })).toBeVisible()
  const { link } = await admin.suspend(owner)
  await page.goto(at('/dashboard/vehicles'))
  await expect(page).toHaveURL(/\/(suspended|login)/)

  const byLink = await visit({ at: link })
  await expect(byLink.getByLabel(t('appeal_text'))).toBeVisible()
  await audit(byLink, 'appeal by the link of the email')

  const again = await visit({ at: at('/login') })
  await logIn(again, owner.email)
  await expect(heading(again, t('sanction_title_suspend'))).toBeVisible()
  await expect(again.getByText('Two threats in one day.')).toBeVisible()
  await expect(again.getByText(t('sanction_person').split('{date}')[0]!)).toBeVisible()
  await expect(again.getByText(t('sanction_until').split('{date}')[0]!)).toBeVisible()
  await expect(again.getByRole('heading', { name: t('suspended_data') })).toBeVisible()
  await audit(again, 'suspended')
  await press(again, t('appeal_submit'))
  await expect(again.getByText(t('appeal_text_missing'))).toBeVisible()
  await again.getByLabel(t('appeal_text')).fill(`It was my brother. ${UNBROKEN}`)
  await press(again, t('appeal_submit'))
  await expect(again.getByRole('heading', { name: t('appeal_sent_title') })).toBeFocused()
  await audit(again, 'appeal sent')

  const [appeal] = await product.db`
    select a.id from appeals a join sanctions s on s.id = a.sanction_id where s.decided_by = ${admin.id}`
  const inbox = await visit({ as: second, at: at(`/admin/inbox/appeal/${appeal!['id']}`) })
  await expect(inbox.getByRole('button', { name: t('appeals_read') })).toBeVisible()
  await audit(inbox, 'appeal')
  await press(inbox, t('appeals_read'))
  await expect(inbox.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(inbox.getByText('It was my brother.')).toBeVisible()
  await expect(inbox.getByRole('article').getByText(admin.email)).toBeVisible()
  await audit(inbox, 'appeal opened')
  await inbox.getByLabel(t('person_reason')).fill('We looked at it again.')
  // the wrong one, undone before anybody was notified
  await press(inbox, t('appeals_keep'))
  await expect(inbox.getByText(t('inbox_held'))).toBeVisible()
  await audit(inbox, 'appeal decision held')
  await press(inbox, t('inbox_undo'))
  await expect(inbox.getByText('It was my brother.')).toBeVisible()
  await expect(inbox.getByLabel(t('person_reason'))).toHaveValue('We looked at it again.')
  await press(inbox, t('appeals_lift'))
  await press(inbox, t('inbox_send_now'))
  await expect(inbox.getByText(t('appeals_done_lifted'))).toBeVisible()
  await again.goto(at('/dashboard'))
  await expect(again.getByRole('heading', { level: 1, name: /Alex/ })).toBeVisible()
})

test('an admin suspends a person and lifts it, from the page of an account @phone', async ({
  person,
  visit,
  product,
  audit,
}) => {
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  const page = await visit({ as: admin, at: `/admin/user?id=${owner.id}` })
  await expect(page.getByText('Nothing in force')).toBeVisible()
  await press(page, 'Suspend')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suspend this person' }).click()
  await expect(dialog.getByText('Please give a reason.')).toBeVisible()
  await dialog.getByLabel('Reason').fill(`You threatened somebody. ${UNBROKEN.slice(0, 900)}`)
  await dialog.getByLabel(/^Days/).fill('1.5')
  await expect(dialog.getByText(/^A whole number of days/)).toBeVisible()
  await dialog.getByLabel(/^Days/).fill('7')
  await dialog.getByRole('button', { name: 'Suspend this person' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('The person is suspended.')).toBeVisible()
  await expect(page.getByText('You threatened somebody.')).toBeVisible()
  await expect(page.getByText(/^In force, until/)).toBeVisible()
  // from a report or an appeal, no whole address is shown
  await page.goto(`/admin/user?person=${await admin.personIdOf(owner)}`)
  await expect(page.getByText(/^In force, until/)).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(owner.email)
  await press(page, 'Lift')
  await audit(page, 'lift')
  await dialog.getByLabel('Reason').fill('It was a mistake.')
  await dialog.getByRole('button', { name: 'Lift it' }).click()
  await expect(page.getByText('Nothing in force')).toBeVisible()
  await expect(page.getByText('It was a mistake.')).toBeVisible()
  await page.getByRole('region', { name: 'Accounts' }).getByRole('link').click()
  await expect(page.getByText(owner.email)).toBeVisible()
  await expect(page.getByText('Suspension lifted')).toBeVisible()
})
