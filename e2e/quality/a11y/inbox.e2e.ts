import { grantAdmin } from '../../support/admins.ts'
import { auditTest } from '../../support/axe-audit.ts'
import { expect } from '../../support/fixtures.ts'
import { createPopulatedAdmin } from '../../support/populated-user.ts'
import { textsOf } from '../../support/texts.ts'

// The screens of the inbox about a report, step by step.

auditTest('no violations on the steps of a report', 'phone', async ({ locale, at, audit, person, visit, product }) => {
  const page = await visit({ as: await createPopulatedAdmin(product, () => person({ locale })) })
  const { check } = audit(page)
  const submit = page.getByRole('main').locator('form button[type=submit]')
  const openForPurpose = async () => {
    await page.getByRole('radio').first().check()
    await submit.click()
    await expect(page.locator('blockquote').first()).toBeVisible()
  }
  await page.goto(at('/admin/inbox?kind=report'))
  await page.locator('a[data-item]').first().click()
  await expect(page.getByRole('radio').first()).toBeVisible()
  await submit.click()
  await check('the purpose of an opening')
  await openForPurpose()
  await page.keyboard.press('4')
  await submit.click()
  await check('a decision')
  await page.locator('textarea').fill('A threat.')
  await submit.click()
  await expect(page.locator('textarea')).toHaveCount(0)
  await check('a decision that is held')
  await page.getByRole('status').getByRole('button').nth(1).click() // sends it now
  await expect(page.getByRole('status').getByRole('button')).toHaveCount(0)
  await check('after a decision')
})

auditTest(
  'a reply that moderators remove leaves the pages that show it, without violations',
  'desktop',
  async ({ locale, at, audit, person, visit, product }) => {
    const t = textsOf(locale)
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const id = await sender.sendMessage((await owner.registerVehicle()).plate, 'Your lights are on.')
    await owner.replyTo(id, 'I will find you.')
    const caseId = await sender.reportMessage(id, { reason: 'threat' })
    const received = await visit({ as: owner, at: at('/dashboard/messages') })
    const sent = await visit({ as: sender, at: at('/dashboard/messages?view=sent') })
    for (const page of [received, sent]) await expect(page.getByText('I will find you.')).toBeVisible()
    const admin = await grantAdmin(product, await person())
    await admin.decideReport(caseId, 'delete_message')
    for (const page of [received, sent]) await expect(page.getByText('I will find you.')).toHaveCount(0)
    await expect(received.getByText(t('message_reply_removed'))).toBeVisible()
    await expect(sent.getByRole('article')).toContainText(t('message_no_reply'))
    const { check } = audit(received)
    await check('a removed reply')
  },
)
