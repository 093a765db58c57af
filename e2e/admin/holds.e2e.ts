import { localizedPath } from '#contract/paths.ts'
import { LOCALES } from '#contract/product.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { textsOf } from '../support/texts.ts'

// A legal hold from the page of a user to its end, and what the person notices of it: nothing (decision 0117).

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

for (const locale of LOCALES) {
  test(`an admin holds an account, whose person deletes it without noticing, and lifts the hold (${locale})`, async ({
    person,
    visit,
    product,
  }) => {
    const t = textsOf(locale)
    const held = await person({ locale: 'en' })
    const { plate } = await held.registerVehicle()
    const admin = await grantAdmin(product, await person({ locale }))
    const page = await visit({ as: admin, at: localizedPath(`/admin/user?id=${held.id}`, locale) })
    await page.getByRole('link', { name: t('admin_hold_place') }).click()
    await expect(page.getByLabel(t('hold_email'))).toHaveValue(held.email)
    await page.getByRole('button', { name: t('hold_place') }).click()
    await expect(page.getByText(t('hold_reason_missing'))).toBeVisible()
    await page.getByLabel(t('hold_reference')).fill('SPVM 24-1187')
    await page.getByLabel(t('hold_reason'), { exact: true }).fill('Production order of the court.')
    await page.getByLabel(t('hold_last_day')).fill(dayFromNow(700))
    await page.getByRole('button', { name: t('hold_place') }).click()
    await expect(page.getByText(t('hold_day_wrong', { months: '12' }))).toBeVisible()
    await page.getByLabel(t('hold_last_day')).fill(dayFromNow(90))
    await page.getByRole('button', { name: t('hold_place') }).click()
    const item = page.getByRole('list', { name: t('admin_holds_title') }).getByRole('listitem')
    await expect(item.filter({ hasText: held.email })).toContainText('SPVM 24-1187')

    await page.goto(localizedPath(`/admin/vehicles?plate=${plate}`, locale))
    await expect(page.getByText(t('admin_on_hold'), { exact: true })).toBeVisible()
    await page.goto(localizedPath(`/admin/user?id=${held.id}`, locale))
    await expect(page.getByText(t('admin_on_hold'), { exact: true })).toBeVisible()

    // the person deletes the account as anybody does
    const own = await visit({ as: held, at: '/dashboard/profile' })
    await expect(own.getByText(/legal hold/i)).toHaveCount(0)
    await own.context().close() // its stream would complain about the end of the account
    await held.deleteAccount()

    await page.getByRole('link', { name: t('admin_hold_see') }).click()
    const entry = item.filter({ hasText: held.email })
    await expect(entry).toContainText(t('hold_account_gone'))
    await entry.getByRole('button', { name: t('hold_extend') }).click()
    await page.getByRole('dialog').getByLabel(t('hold_last_day')).fill(dayFromNow(200))
    await page.getByRole('dialog').getByLabel(t('hold_change_reason')).fill('The court extended it.')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('hold_extend_confirm') })
      .click()
    await expect(page.getByText(t('hold_extend_done'))).toBeVisible()
    await entry.getByRole('button', { name: t('hold_lift') }).click()
    await page.getByRole('dialog').getByLabel(t('hold_change_reason')).fill('The order was quashed.')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('hold_lift_confirm') })
      .click()
    await expect(entry).toHaveCount(0)
    await page.getByRole('tab', { name: t('holds_tab_ended') }).click()
    const ended = page.getByRole('listitem').filter({ hasText: held.email })
    await expect(ended.filter({ hasText: 'The order was quashed.' })).toBeVisible()
    await page.goto(localizedPath('/admin/audit-log', locale))
    for (const action of ['admin_audit_hold_placed', 'admin_audit_hold_extended', 'admin_audit_hold_lifted'])
      await expect(page.getByText(t(action)).first()).toBeVisible()
  })
}
