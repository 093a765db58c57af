import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { currentCode } from '../../server/src/test/factors.ts'
import { grantAdmin, signInAsAdmin } from '../support/admins.ts'
import { setUpApp } from '../support/authenticators.ts'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import { startSecondServer } from '../support/product.ts'
import { textsOf } from '../support/texts.ts'

// What admins do at the desk (decision moderation-desk), where a second factor is required, as in production.

let strict: Awaited<ReturnType<typeof startSecondServer>>
test.beforeAll(async ({ product }) => {
  strict = await startSecondServer(product, { ADMIN_SECOND_FACTOR: 'required' })
})
test.afterAll(async () => {
  await strict.stop()
})
test.beforeEach(({ pageGuard }) => pageGuard.allow(/^403 (GET|POST) \/(api\/admin|rest\/v1\/rpc)\//))

/** Signs an admin in at the strict server, at a page; their account is in `locale`. Returns the key of their authenticator app. */
async function enterDesk(page: Page, admin: Person, path: string, locale: Locale = 'en'): Promise<string> {
  await page.goto(`${strict.url}/admin/login?next=${encodeURIComponent(path)}`)
  await signInAsAdmin(page, admin.email)
  return setUpApp(page, locale)
}

/** Has a message reported. Returns who wrote it, and its case. */
async function report(person: () => Promise<Person>, content: string) {
  const [sender, owner] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, content)
  return { sender, caseId: await owner.reportMessage(id, { reason: 'threat', note: 'I am afraid.' }) }
}

test('a moderator opens a case with a purpose, warns, and suspends with a fresh second step @phone', async ({
  person,
  visit,
  product,
}) => {
  const locale = 'fr-CA'
  await product.db`delete from report_cases` // those of other tests
  const first = await report(() => person(), 'I know where you park')
  const second = await report(() => person(), 'I will find you')
  const admin = await grantAdmin(product, await person({ locale }))
  const page = await visit()
  const secret = await enterDesk(page, admin, '/admin/reports', locale)
  await expect(page).toHaveURL(strict.url + localizedPath('/admin/reports', locale))
  const t = textsOf(locale)
  const press = (key: string) =>
    page
      .getByRole('button', { name: t(key), exact: true })
      .last()
      .click()
  const openCase = async () => {
    await page.getByRole('radio', { name: t('case_purpose_new') }).check()
    await press('desk_open')
  }
  const cases = page.getByRole('link', { name: new RegExp(t('case_reason_threat')) })
  const held = page.getByText(t('case_held'))
  const warn = async (reason: string) => {
    await page.keyboard.press('2')
    await page.getByLabel(t('case_reason')).fill(reason)
    await press('case_warn')
  }

  // the queue, by keyboard
  await expect(cases).toHaveCount(2)
  await expect(page.getByText('I know where you park')).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/admin/reports/${first.caseId}$`))
  await press('desk_open')
  await expect(page.getByText(t('desk_purpose_missing'))).toBeVisible()
  await openCase()
  await expect(page.getByText('I know where you park')).toBeVisible()
  await expect(page.getByText('I am afraid.')).toBeVisible()

  // a decision that is undone was never sent
  await warn('Wrong case')
  await expect(held).toBeVisible()
  await page.keyboard.press('u')
  await expect(held).toBeHidden()
  // nothing is chosen then, and what was written is still there for another decision
  await expect(page.getByLabel(t('case_reason'))).toHaveCount(0)
  await page.keyboard.press('4')
  await expect(page.getByLabel(t('case_reason'))).toHaveValue('Wrong case')
  await press('action_cancel')
  await warn('No threats, please.')
  await press('case_send_now')
  await expect(page.getByRole('main').getByText(t('case_warn_done'), { exact: true })).toBeVisible()
  const mails = await product.inbox.to(first.sender.email, 2)
  expect(mails.filter(({ parsed }) => parsed.text?.includes('No threats, please.'))).toHaveLength(1)
  expect(mails.filter(({ parsed }) => parsed.text?.includes('Wrong case'))).toHaveLength(0)

  // the next one, after more than ten minutes
  await expect(page.getByRole('link', { name: new RegExp(`^${t('case_next')}`) })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(new RegExp(`/admin/reports/${second.caseId}$`))
  await openCase()
  await expect(page.getByText('I will find you')).toBeVisible()
  await product.db`
    update auth.sessions set factor_verified_at = now() - interval '11 minutes' where user_id = ${admin.id}`
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await page.clock.setFixedTime(Date.now() + 11 * 60_000)
  await press('case_suspend')
  await page.getByLabel(t('case_reason')).fill('A threat.')
  await page.getByLabel(t('case_days')).fill('30')
  await press('case_suspend')
  // at once, and not when the hold is over and another case is on the screen
  await expect(page.getByRole('dialog', { name: t('step_up_title') })).toBeVisible()
  await expect(held).toBeHidden()
  await page.getByLabel(t('factor_code'), { exact: true }).fill(currentCode(secret))
  await press('factor_confirm')
  await expect(held).toBeVisible()
  await press('case_send_now')
  await expect(page.getByRole('main').getByText(t('case_suspend_done'), { exact: true }).first()).toBeVisible()
  const [sanction] = await product.db`select kind from sanctions where case_id = ${second.caseId}`
  expect(sanction).toEqual({ kind: 'suspend' })
  await expect(page.getByText(t('case_next_none'))).toBeVisible()

  await page.goto(strict.url + localizedPath('/admin/audit-log', locale))
  const entries = page.getByRole('listitem').filter({ hasText: admin.email })
  await expect(entries.filter({ hasText: t('admin_audit_report_opened') })).toHaveCount(2)
  await expect(entries.filter({ hasText: t('admin_audit_reason', { reason: t('case_purpose_new') }) })).toHaveCount(2)
})
