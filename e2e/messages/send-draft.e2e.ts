import { expect, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'
import { logIn, sendForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

test('plate, province, reason, text and photo survive a reload and a sign-in', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^409 POST \/api\/messages$/, /^40[013] (GET|POST) \/(api|auth)\//, /net::ERR_(FAILED|ABORTED)/)
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
  await form.submit()
  await form.province.selectOption('Quebec')

  const expectRestored = async () => {
    await expect(form.plate).toHaveValue(plate) // although the link names another one
    await expect(form.province).toHaveValue('Quebec')
    await expect(form.reason('Lights are on')).toHaveAttribute('aria-pressed', 'true')
    await expect(form.message).toHaveValue('Your lights are on, level P2.')
    await expect(page.getByRole('img', { name: 'The photo you chose' })).toHaveJSProperty('naturalWidth', 800)
  }
  await page.reload()
  await expectRestored()
  await sender.signOutEverywhere()
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=/)
  await logIn(page, sender.email)
  await expectRestored()

  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await ontario.receivedMessages()).toEqual([])
  const [message] = await quebec.receivedMessages()
  expect(message).toMatchObject({ content: 'Your lights are on, level P2.', reason: 'lights_on' })
  expect(message?.image_url).not.toBeNull()

  // the link opens this very message, and the next form is empty
  await page.getByRole('link', { name: 'View your message' }).click()
  await expect(page).toHaveURL(new RegExp(`view=sent#${message?.id}$`))
  await expect(page.getByRole('article', { name: `Message to ${plate}` })).toBeFocused()
  await page.goto('/send')
  await expect(form.plate).toHaveValue('')
  await expect(form.message).toHaveValue('')
  await expect(form.province).toHaveCount(0)
  await expect(page.getByRole('button', { pressed: true })).toHaveCount(0)
  await expect(page.getByRole('img', { name: 'The photo you chose' })).toHaveCount(0)
})

test('another plate hides the question of the province', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^409 POST \/api\/messages$/)
  const [ontario, quebec, other] = [await person(), await person(), await person()]
  const plate = newPlate()
  await ontario.registerVehicle(plate, 'Ontario')
  await quebec.registerVehicle(plate, 'Quebec')
  const theirs = await other.registerVehicle()
  const page = await visit({ as: await person(), at: '/send' })
  const form = sendForm(page)
  await form.fill(plate, 'Hello')
  await form.submit()
  await form.province.selectOption('Quebec')
  await form.plate.fill(theirs.plate)
  await expect(form.province).toHaveCount(0)
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await other.receivedMessages()).toHaveLength(1)
})

test('pressing twice quickly sends once @always', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  await form.message.fill('Once')
  await page.getByRole('button', { name: 'Send Message' }).dblclick()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toHaveLength(1)
})

test('offline the form says so, and sends on request once the connection is back', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_(INTERNET_DISCONNECTED|FAILED)/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  await form.reason('Flat tire or leak').click()
  await page.context().setOffline(true)
  const button = page.getByRole('button', { name: 'Send Message' })
  await expect(button).toHaveAccessibleDescription(/^You’re offline\. Your message is saved/)
  await page.context().setOffline(false)
  await expect(button).toHaveAccessibleDescription('')
  expect(await owner.receivedMessages()).toEqual([]) // nothing is sent by itself
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toMatchObject([{ reason: 'flat_or_leak' }])
})

test('a rate limit is explained calmly, with the time of the next try', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^429 POST \/api\/messages$/)
  const sender = await person()
  const error = 'You’ve already sent this vehicle several messages with no reply.'
  for (const [retryAfter, at, when] of [
    ['290', '/send', 'You can try again in 5 minutes. Your message is saved.'],
    ['10700', '/fr/send', 'Vous pourrez réessayer dans 3 heures. Votre texte est conservé.'],
    ['1036800', '/send', 'You can try again in 12 days. Your message is saved.'],
  ] as const) {
    const page = await visit({ as: sender, language: at === '/fr/send' ? 'fr-CA' : 'en' })
    await page.route('**/api/messages', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': retryAfter },
        json: { error, code: 'too_many_requests' },
      }),
    )
    await page.goto(at)
    await page.getByRole('textbox').first().fill('ABC123')
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello again')
    await page.getByRole('button', { name: /^(Send Message|Envoyer le message)$/ }).click()
    const alert = page.getByRole('alert').filter({ hasText: error })
    await expect(alert).toContainText(when)
    await expect(alert.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Hello again')
  }
})
