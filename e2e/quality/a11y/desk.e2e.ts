import { auditVariants } from '../../support/axe-audit.ts'
import { expect, test } from '../../support/fixtures.ts'
import { createPopulatedAdmin } from '../../support/populated-user.ts'

// What admins read and decide at the desk, step by step.

for (const { title, details, locale, at, audit } of auditVariants('no violations on the steps of the desk')) {
  test(title, details, async ({ person, visit, product }) => {
    const page = await visit({ as: await createPopulatedAdmin(product, () => person({ locale })) })
    const { check, expectNoViolations } = audit(page)
    const submit = page.getByRole('main').locator('form button[type=submit]')
    const openForPurpose = async () => {
      await page.getByRole('radio').first().check()
      await submit.click()
      await expect(page.locator('blockquote').first()).toBeVisible()
    }
    await page.goto(at('/admin/reports'))
    await page.locator('a[data-case]').first().click()
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
    await page.keyboard.press('u')

    await page.goto(at('/admin/contact'))
    await page.locator('button[data-submission]').first().click()
    await openForPurpose()
    await check('an open contact message')
    await page.goto(at('/admin/incidents'))
    await page.locator('main header button').click()
    await submit.click()
    await check('an incident to record')
    expectNoViolations()
  })
}
