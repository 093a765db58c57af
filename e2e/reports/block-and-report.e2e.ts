import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'

const THREAT = 'I know where you park. You will see.'

/** Opens the sheet from the menu of the open message, which gets the focus back. */
async function openSheet(page: Page) {
  const button = page.getByRole('article').getByRole('button', { name: /^More actions/ })
  await button.press('Enter')
  await page.getByRole('button', { name: 'Block or report' }).press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('radio').first()).toBeVisible()
  return { button, sheet }
}

const receivedTexts = async (owner: Person) => (await owner.receivedMessages()).map(({ content }) => content)

test('a recipient blocks and reports with the keyboard, keeps a copy, and ends the block @phone', async ({
  person,
  product,
  visit,
  audit,
}) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, THREAT)
  const page = await visit({ as: owner, at: `/dashboard/messages?view=received#${id}` })
  // the menu itself
  const menu = page.getByRole('button', { name: `More actions for the message about ${plate}` })
  await menu.click()
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText(/^Kept until \w{3} \d+, \d{4}$/)).toBeVisible()
  await audit(page, 'menu of a message')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Block or report' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await menu.click()
  await page.getByRole('textbox', { name: 'Reply' }).click() // outside
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
  const { button, sheet } = await openSheet(page)
  // Escape changes nothing, and returns the focus
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(button).toBeFocused()
  await openSheet(page)

  // also while nothing is chosen
  await expect(sheet.getByRole('link', { name: 'Call 911 if you’re in danger' })).toHaveAttribute('href', 'tel:911')
  await sheet.getByRole('radio', { name: 'Block this person' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(sheet.getByRole('radio', { name: 'Report to our moderators' })).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await expect(sheet.getByRole('radio', { name: 'Both' })).toBeChecked()
  await sheet.locator('button[type=submit]').press('Enter')
  await expect(sheet.getByText('Please choose what’s wrong.')).toBeVisible()
  await expect(sheet.locator('[value=harassment]')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(sheet.getByRole('radio', { name: 'A threat' })).toBeChecked()
  await expect(sheet.getByRole('status')).toContainText('Call 911 if you’re in danger')
  await expect(sheet.locator('a[href="tel:911"]')).toBeVisible()
  await audit(page, 'report of a threat')
  await sheet.getByRole('textbox', { name: /^Note to the moderators/ }).fill('It is not the first time.')
  await sheet.locator('button[type=submit]').press('Enter')
  await expect(sheet.getByRole('heading', { level: 3, name: 'Blocked and reported' })).toBeFocused()
  await audit(page, 'blocked and reported')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(button).toBeFocused()
  const cases = await product.db`select from report_cases where message_id = ${id} and reason = 'threat'`
  expect(cases).toHaveLength(1)
  await sender.sendMessage(plate, 'Answer me.')
  expect(await receivedTexts(owner)).toEqual([THREAT])

  await openSheet(page)
  await sheet.getByRole('link', { name: 'Keep a copy for yourself' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Copy of a message' })).toBeVisible()
  await expect(page.getByRole('article')).toContainText(THREAT)
  await expect(page.getByRole('article')).toContainText(plate)
  await audit(page, 'copy of a message')
  await page.evaluate('window.printed = 0; window.print = () => { window.printed++ }')
  await page.getByRole('button', { name: 'Print or save as PDF' }).click()
  expect(await page.evaluate('window.printed')).toBe(1)
  // paper has the message and nothing of the app around it
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article')).toBeVisible()
  for (const element of [
    page.getByRole('button'),
    page.getByRole('navigation'),
    page.getByRole('main').getByRole('link'),
  ])
    await expect(element.filter({ visible: true })).toHaveCount(0)
  const { width } = (await page.getByRole('article').boundingBox())!
  expect(width).toBeGreaterThan(300)
  await page.emulateMedia({ media: 'screen' })

  await page.goto('/dashboard/profile/data')
  const section = page.getByRole('region', { name: 'Blocked people' })
  await expect(section.getByRole('listitem')).toHaveText(/^Sender of the message of \w{3} \d+, \d{4} about /)
  await section.getByRole('button', { name: /^Unblock/ }).click()
  const end = page.getByRole('alertdialog').getByRole('button', { name: /^Unblock/ })
  await expect(end).toBeVisible()
  await audit(page, 'end of a block')
  await end.click()
  await expect(section.getByText(/^You haven’t blocked anyone/)).toBeVisible()
  await sender.sendMessage(plate, 'Your lights are on.')
  expect(await receivedTexts(owner)).toEqual(['Your lights are on.', THREAT])
})
