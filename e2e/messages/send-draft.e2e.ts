import { expect, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'
import { sendForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

test('plate, province, reason, text and photo survive a reload', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^409 POST \/api\/messages$/)
  const [ontario, quebec, sender] = [await person(), await person(), await person()]
  const plate = newPlate()
  await ontario.registerVehicle(plate, 'Ontario')
  await quebec.registerVehicle(plate, 'Quebec')
  const page = await visit({ as: sender, at: '/send?plate=SOMEONE' })
  const form = sendForm(page)
  await form.reason('Lights are on').click()
  await form.fill(plate, 'Your lights are on, level P2.')
  await form.photo.setInputFiles(await photo())
  await expect(page.getByText('Photo added')).toHaveCount(2)
  await expect(form.province).toHaveCount(0)
  await form.submit()
  await expect(form.province).toBeFocused()
  await expect(form.province.getByRole('option')).toHaveText(['Choose a province', 'Ontario', 'Quebec'])
  await form.province.selectOption('Quebec')

  await page.reload()
  await expect(form.plate).toHaveValue(plate) // although the link names another one
  await expect(form.province).toHaveValue('Quebec')
  await expect(form.reason('Lights are on')).toHaveAttribute('aria-pressed', 'true')
  await expect(form.message).toHaveValue('Your lights are on, level P2.')
  await expect(page.getByRole('img', { name: 'The photo you chose' })).toHaveJSProperty('naturalWidth', 800)

  await page.getByRole('button', { name: 'Send Message' }).dblclick()
  await expect(form.sent).toBeVisible()
  expect(await ontario.receivedMessages()).toEqual([])
  const [message, ...more] = await quebec.receivedMessages()
  expect(more).toEqual([])
  expect(message).toMatchObject({ content: 'Your lights are on, level P2.', reason: 'lights_on' })
  expect(message?.image_url).not.toBeNull()

  // this very message is open, and the next form is empty
  await expect(page).toHaveURL(new RegExp(`view=sent#${message?.id}$`))
  await expect(page.getByRole('article', { name: `Message to ${plate}` })).toBeVisible()
  await page.goto('/send')
  await expect(form.plate).toHaveValue('')
  await expect(form.message).toHaveValue('')
  await expect(form.province).toHaveCount(0)
  await expect(page.getByRole('button', { pressed: true })).toHaveCount(0)
  await expect(page.getByRole('img', { name: 'The photo you chose' })).toHaveCount(0)
})
