import type { Page } from '@playwright/test'
import { localizedPath } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { currentCode } from '../../server/src/test/factors.ts'
import { grantAdmin, signInAsAdmin } from '../support/admins.ts'
import { setUpApp } from '../support/authenticators.ts'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'
import { startSecondServer } from '../support/product.ts'
import { textsOf } from '../support/texts.ts'

// What admins do at the desk (decision 0087), where a second factor is required, as in production.

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

const VARIANTS = LOCALES.flatMap((locale) => ['', ' @phone'].map((size) => ({ locale, size })))

for (const { locale, size } of sample.pick('a moderator’s case', VARIANTS)) {
  test(`a moderator opens a case with a purpose, warns, and suspends with a fresh second step (${locale})${size} @always`, async ({
    person,
    visit,
    product,
  }) => {
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
}

test('a case that somebody else reports before it is decided stays open, and asks to be read again', async ({
  person,
  visit,
  product,
}) => {
  const [admin, sender, owner, driver] = [await person(), await person(), await person(), await person()]
  await grantAdmin(product, admin)
  const vehicle = await owner.registerVehicle()
  await driver.joinVehicle(await owner.inviteDriver(vehicle))
  const id = await sender.sendMessage(vehicle.plate, 'I know where you park')
  const caseId = await owner.reportMessage(id, { reason: 'threat' })
  const page = await visit()
  await enterDesk(page, admin, `/admin/reports/${caseId}`)
  const openCase = async () => {
    await page.getByRole('radio', { name: 'A new report has to be decided' }).check()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
  }
  await openCase()
  await expect(page.getByText('I know where you park')).toBeVisible()
  await driver.reportMessage(id, { reason: 'threat', note: 'He waits at the school.' })
  await page.keyboard.press('2')
  await page.getByLabel('Reason', { exact: true }).fill('No threats, please.')
  await page.getByRole('button', { name: 'Warn', exact: true }).last().click()
  await page.getByRole('button', { name: 'Send now', exact: true }).click()

  await expect(page.getByRole('main').getByText('Someone else reported this before you decided.')).toBeVisible()
  await expect(page.getByText('I know where you park')).toBeHidden()
  await openCase()
  await expect(page.getByText('He waits at the school.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Decide', exact: true })).toBeVisible()
})
