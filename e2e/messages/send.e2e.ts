import type { Route } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { sendForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

test('a plate is typed, pasted and linked to with other separators and letters', async ({ person, visit }) => {
  const owner = await person()
  const plate = newPlate()
  const shown = `${plate.slice(0, 2)}-${plate.slice(2)}`
  await owner.registerVehicle(plate)
  const link = `${plate.slice(0, 2)}•${plate.slice(2)}.`
  const page = await visit({ as: await person(), at: `/send?plate=${encodeURIComponent(link)}` })
  const form = sendForm(page)
  await expect(form.plate).toHaveValue(shown)

  await form.plate.fill('')
  await form.plate.pressSequentially(`${plate.slice(0, 2).toLowerCase()}––`)
  await expect(form.plate).toHaveValue(`${plate.slice(0, 2)}-`) // more may follow
  await form.plate.pressSequentially(`/${plate.slice(2)}`)
  await expect(form.plate).toHaveValue(shown)
  await form.plate.press('Home')
  await form.plate.pressSequentially('\u0445')
  await expect(form.plate).toHaveValue(`X${shown}`)
  await form.plate.press('Backspace')
  await expect(form.plate).toHaveValue(shown)
  // nothing is cut off: what remains would be the plate of somebody else
  await form.plate.pressSequentially('23456789')
  await expect(form.plate).toHaveValue(`23456789${shown}`)
  await form.plate.fill(shown)
  await form.plate.press('Home')
  await form.plate.pressSequentially('#')
  await form.submit()
  await expect(form.plate).toHaveValue(`#${shown}`)
  await expect(form.plate).toHaveAccessibleDescription(/“#” cannot be on a plate\.$/)

  await form.fill(`${link} `, 'Your lights are on.')
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toHaveLength(1)
})

/** Forwards a call, and breaks off its response half-way. */
async function breakOff(route: Route) {
  const body = await (await route.fetch()).text()
  await route.fulfill({ status: 201, contentType: 'application/json', body: body.slice(0, body.length / 2) })
}

test('a lost connection loses nothing, and trying again sends once', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: '/send' })
  const form = sendForm(page)
  await form.fill(plate, 'First')

  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline. What you see may be out of date.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send Message' })).toHaveAccessibleDescription(/^You’re offline\./)
  await form.submit()
  const alert = page.getByRole('alert').filter({ hasText: 'No connection to PlateNote.' })
  await expect(alert).toContainText('Your message is saved. Trying again won’t send it twice.')
  await expect(form.message).toHaveValue('First')

  // back online: this time the server accepts the message, and its response is lost
  await page.context().setOffline(false)
  await page.route('**/api/messages', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await owner.receivedMessages()).length).toBe(1)
  await expect(alert).toBeVisible()
  await page.reload() // the idempotency key outlives the page
  await page.unroute('**/api/messages')
  // a response that breaks off half-way counts as no connection
  await page.route('**/api/messages', breakOff, { times: 1 })
  await form.submit()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toHaveLength(1)
})
