import type { Route } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { sendForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

test('missing input is reported by its field before anything is sent', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/send' })
  const form = sendForm(page)
  await form.submit()
  await expect(page.getByText('Please fill out both fields.')).toHaveCount(1)
  await expect(form.plate).toBeFocused()

  await form.fill('ABC123', '   \n ')
  await form.submit()
  await expect(form.message).toHaveAccessibleDescription(/Please fill out both fields\./)
  await form.fill('', 'Hello')
  await form.submit()
  await expect(form.plate).toHaveAccessibleDescription(/Please fill out both fields\./)

  await form.fill('AB?C', 'Hello')
  await form.submit()
  await expect(form.plate).toHaveAttribute('aria-invalid', 'true')
  await expect(form.plate).toHaveAccessibleDescription(
    /Spaces and hyphens don’t matter\. 1 to 8 characters, no spaces\. “\?” cannot be on a plate\.$/,
  )
  // nothing is cut off: what remains would be the plate of somebody else
  await form.plate.fill('')
  await form.plate.pressSequentially('ab cd-1 23456789')
  await expect(form.plate).toHaveValue('ABCD-123456789')
  await form.submit()
  await expect(form.plate).toHaveAccessibleDescription(/1 to 8 characters, no spaces$/)

  await form.message.fill('é'.repeat(2_001))
  await expect(page.getByText('1 character too many').first()).toBeVisible()
  await form.submit()
  await expect(form.message).toHaveAttribute('aria-invalid', 'true')
})

test('a plate is typed, pasted and linked to with other separators, and in letters of other keyboards', async ({
  person,
  visit,
}) => {
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
  await form.plate.pressSequentially('#')
  await form.submit()
  await expect(form.plate).toHaveValue(`#${shown}`)
  await expect(form.plate).toHaveAccessibleDescription(/“#” cannot be on a plate\.$/)

  await form.fill(`${link} `, 'Your lights are on.')
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toHaveLength(1)
})

test('each error of the server is shown by the plate', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^(404|409) POST \/api\/messages$/)
  const [owner, other, sender] = [await person(), await person(), await person()]
  const own = await sender.registerVehicle()
  const disputed = await owner.registerVehicle()
  await other.registerVehicle(disputed.plate)

  const page = await visit({ as: sender, at: '/send' })
  const form = sendForm(page)
  for (const [plate, text, help] of [
    ['NOBODY', 'That plate is not registered.', 'Check the characters: O and 0, I and 1.'],
    [own.plate.toLowerCase(), 'You can’t send a message to your own vehicle.', 'This plate is in your vehicles.'],
    [disputed.plate, 'That vehicle is not active yet.', 'This plate can’t receive messages right now.'],
  ] as const) {
    await form.fill(plate, 'Your window is open.')
    await form.submit()
    const description = [text, help].map((part) => part.replace(/[.?]/g, '\\$&')).join('.* ')
    await expect(form.plate).toHaveAccessibleDescription(new RegExp(description))
    await expect(form.plate).toBeFocused()
    await expect(form.message).toHaveValue('Your window is open.')
  }
})

test('a plate registered in two provinces asks which one, and only that owner gets the message @always', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^409 POST \/api\/messages$/)
  const [ontario, quebec, sender] = [await person(), await person(), await person()]
  const plate = newPlate()
  await ontario.registerVehicle(plate, 'Ontario')
  await quebec.registerVehicle(plate, 'Quebec')

  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  await expect(form.plate).toHaveValue(plate)
  await form.message.fill('Your lights are on.')
  await expect(form.province).toHaveCount(0)
  await form.submit()
  await expect(form.province).toBeFocused()
  await expect(form.province.getByRole('option')).toHaveText(['Choose a province', 'Ontario', 'Quebec'])
  await form.submit()
  await expect(form.province).toHaveAccessibleDescription(/Please choose a province\./)
  await form.province.selectOption('Quebec')
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect((await quebec.receivedMessages()).map(({ content }) => content)).toEqual(['Your lights are on.'])
  expect(await ontario.receivedMessages()).toEqual([])

  await page.getByRole('button', { name: 'Send another' }).click()
  await expect(form.plate).toHaveValue('')
  await expect(form.message).toHaveValue('')
})

test('the input survives a reload', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/send' })
  const form = sendForm(page)
  await form.fill('KEEP1', 'A long text\nwith two lines')
  await page.reload()
  await expect(form.plate).toHaveValue('KEEP1')
  await expect(form.message).toHaveValue('A long text\nwith two lines')
})

test('a lost connection loses nothing, and trying again sends once @always', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: '/send' })
  const form = sendForm(page)
  await form.fill(plate, 'First')

  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline. What you see may be out of date.')).toBeVisible()
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
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toHaveLength(1)
})

test('a response that breaks off half-way counts as no connection', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: '/send' })
  const form = sendForm(page)
  await form.fill(plate, 'First')
  const breakOff = async (route: Route) => {
    const body = await (await route.fetch()).text()
    await route.fulfill({ status: 201, contentType: 'application/json', body: body.slice(0, body.length / 2) })
  }
  await page.route('**/api/messages', breakOff, { times: 1 })
  await form.submit()
  const alert = page.getByRole('alert').filter({ hasText: 'No connection to PlateNote.' })
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toHaveLength(1)
})
