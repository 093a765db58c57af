import { localizedPath } from '#contract/paths.ts'
import { currentCode } from '../../server/src/test/factors.ts'
import { grantAdmin } from '../support/admins.ts'
import { setUpApp } from '../support/authenticators.ts'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import { UNBROKEN } from '../support/people.ts'
import { textsOf } from '../support/texts.ts'

// What admins do about reports (decision admin-inbox), with a second factor, as in production.

/** Has a message reported. Returns who wrote it, and its case. */
async function report(person: () => Promise<Person>, content: string) {
  const [sender, owner] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, content)
  return {
    sender,
    caseId: await owner.reportMessage(id, { reason: 'threat', note: `I am afraid. ${UNBROKEN.slice(0, 900)}` }),
  }
}

test('an admin opens a report with a purpose, warns, and suspends with a fresh second step @phone', async ({
  person,
  visit,
  product,
  pageGuard,
  audit,
}) => {
  pageGuard.allow(/^403 POST \/api\/admin\//, /^400 POST \/auth\/v1\/factors/) // what needs a fresh second step, and a first one a code
  const locale = 'fr-CA'
  await product.db`delete from report_cases` // those of other tests
  const first = await report(() => person(), `I know where you park. ${UNBROKEN}`)
  const second = await report(() => person(), 'I will find you')
  const admin = await grantAdmin(product, await person({ locale }))
  const page = await visit({ as: admin, at: localizedPath('/admin/profile/security', locale) })
  const t = textsOf(locale)
  const secret = await setUpApp(page, { product, email: admin.email }, locale)
  await expect(page.getByText(t('factor_added'))).toBeVisible()
  await page.goto(localizedPath('/admin/inbox?kind=report', locale))
  const press = (key: string) =>
    page
      .getByRole('button', { name: t(key), exact: true })
      .last()
      .click()
  const openReport = async () => {
    await page.getByRole('radio', { name: t('inbox_purpose_new') }).check()
    await press('inbox_purpose_submit')
  }
  const reports = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: t('inbox_reason_threat') })
  const held = page.getByText(t('inbox_held'))
  const warn = async (reason: string) => {
    await page.keyboard.press('2')
    await page.getByLabel(t('person_reason')).fill(reason)
    await press('inbox_warn')
  }

  // the queue, by keyboard
  await expect(reports).toHaveCount(2)
  await expect(page.getByText('I know where you park')).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/admin/inbox/report/${first.caseId}`))
  await press('inbox_purpose_submit')
  await expect(page.getByText(t('inbox_purpose_missing'))).toBeVisible()
  await audit(page, 'the purpose of an opening')
  await openReport()
  await expect(page.getByText('I know where you park')).toBeVisible()
  await expect(page.getByText('I am afraid.')).toBeVisible()
  await audit(page, 'an opened report')

  // a decision that is undone was never sent
  await warn('Wrong case')
  await expect(held).toBeVisible()
  await audit(page, 'a decision that is held')
  await page.keyboard.press('u')
  await expect(held).toBeHidden()
  // the report is open as before, nothing is chosen, and what was written is still there for another decision
  await expect(page.getByText('I know where you park')).toBeVisible()
  await expect(page.getByLabel(t('person_reason'))).toHaveCount(0)
  await page.keyboard.press('4')
  await expect(page.getByLabel(t('person_reason'))).toHaveValue('Wrong case')
  await audit(page, 'a decision')
  await press('action_cancel')
  await warn('No threats, please.')
  await press('inbox_send_now')
  await expect(page.getByText(t('inbox_warn_done'), { exact: true })).toBeVisible()
  const mails = await product.inbox.to(first.sender.email, 2)
  expect(mails.filter(({ parsed }) => parsed.text?.includes('No threats, please.'))).toHaveLength(1)
  expect(mails.filter(({ parsed }) => parsed.text?.includes('Wrong case'))).toHaveLength(0)

  // the next one has opened by itself; after more than ten minutes
  await expect(page).toHaveURL(new RegExp(`/admin/inbox/report/${second.caseId}`))
  await openReport()
  await expect(page.getByText('I will find you')).toBeVisible()
  await product.db`
    update auth.sessions set factor_verified_at = now() - interval '11 minutes' where user_id = ${admin.id}`
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await page.clock.setFixedTime(Date.now() + 11 * 60_000)
  await press('inbox_suspend')
  await page.getByLabel(t('person_reason')).fill('A threat.')
  await page.getByLabel(t('person_days')).fill('30')
  await press('inbox_suspend')
  // at once, and not when the hold is over and another case is on the screen
  await expect(page.getByRole('dialog', { name: t('step_up_title') })).toBeVisible()
  await expect(held).toBeHidden()
  await page.getByLabel(t('factor_code'), { exact: true }).fill(currentCode(secret))
  await press('factor_confirm')
  await expect(held).toBeVisible()
  await press('inbox_send_now')
  await expect(page.getByText(t('inbox_suspend_done'), { exact: true })).toBeVisible()
  const [sanction] = await product.db`select kind from sanctions where case_id = ${second.caseId}`
  expect(sanction).toEqual({ kind: 'suspend' })
  await expect(page.getByText(t('inbox_empty'), { exact: true })).toBeVisible()

  await page.goto(localizedPath('/admin/system/audit-log', locale))
  const entries = page.getByRole('listitem').filter({ hasText: admin.email })
  await expect(entries.filter({ hasText: t('admin_audit_report_opened') })).toHaveCount(2)
  await expect(entries.filter({ hasText: t('admin_audit_reason', { reason: t('inbox_purpose_new') }) })).toHaveCount(2)
})
