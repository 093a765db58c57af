import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { sendForm } from '../support/page-objects.ts'
import { emailedCode, newEmail, newPlate } from '../support/people.ts'

// How much somebody beside a vehicle has to do on a phone, from the landing page to a message that is sent.

/** The only way by which these tests touch a page: it counts every tap and every key, which goes where the focus is. */
function countOn(page: Page) {
  const count = { taps: 0, keys: 0 }
  const type = (text: string) => page.keyboard.type(text)
  return {
    count,
    async tap(target: Locator) {
      count.taps += 1
      await target.tap()
    },
    async type(text: string) {
      count.keys += text.length
      await type(text)
    },
    typeAddress: type,
  }
}

test('somebody new sends a message with 9 taps and 13 characters beside their address, in one tab @phone', async ({
  visit,
  person,
  product,
}) => {
  const { plate } = await (await person()).registerVehicle(newPlate())
  const email = newEmail()
  const page = await visit({ at: '/' })
  const { count, tap, type, typeAddress } = countOn(page)
  const [main, form] = [page.getByRole('main'), sendForm(page)]
  await tap(main.getByRole('link', { name: 'Send a Message' }).first())
  await tap(page.getByRole('textbox', { name: 'Email' }))
  await typeAddress(email)
  await tap(page.getByRole('button', { name: 'Email me a code' }))
  await expect(page.locator('[name=code]')).toBeFocused()
  await type(await emailedCode(product, email))
  await tap(page.getByRole('checkbox'))
  await tap(page.getByRole('button', { name: 'Agree and continue' }))
  await tap(form.reason('Lights are on'))
  await tap(form.plate)
  await type(plate)
  await tap(page.getByRole('button', { name: 'Send Message' }))
  await expect(form.sent).toBeVisible()
  expect(page.context().pages()).toHaveLength(1)
  expect(count.taps).toBeLessThanOrEqual(9)
  expect(count.keys).toBeLessThanOrEqual(13)
})
