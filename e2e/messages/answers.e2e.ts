import { expect, test } from '../support/fixtures.ts'

const BUTTON = 'Pas cette auto'
const READ_AS = 'The owner says it’s not this car. Check the plate and the province.'

test('one tap in French is read at once in English @phone', async ({ person, visit }) => {
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person()]
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Your lights are on')
  const other = await sender.sendMessage(plate, 'And your window is open')
  const senders = await visit({ as: sender, at: `/dashboard/messages?view=sent#${id}` })
  const sent = senders.getByRole('article')
  await expect(sent).toContainText('No reply yet')
  await expect(sent).not.toContainText(READ_AS)

  const page = await visit({ as: owner, at: `/fr/dashboard/messages?view=received#${id}` })
  const card = page.getByRole('article')
  await card.getByRole('button', { name: BUTTON }).click()
  await expect(card.getByRole('textbox')).toHaveCount(0)
  await expect(card).toContainText(BUTTON)
  await expect(card).toBeFocused()
  await expect(sent).toContainText(READ_AS) // by the live stream
  await expect(sent).toContainText(/Sent \d+:\d\d [AP]M · Answered \d+:\d\d [AP]M/)

  // what was being written goes with the tap
  await page.getByRole('link', { name: 'Tous les messages' }).click()
  await page.getByRole('listitem').filter({ hasText: 'window' }).getByRole('link').click()
  await card.getByRole('textbox').fill('Mine is blue.')
  await card.getByRole('button', { name: BUTTON }).click()
  await senders.goto(`/dashboard/messages?view=sent#${other}`)
  await expect(sent).toContainText(READ_AS)
  await expect(sent).toContainText('Mine is blue.')
})

test('what is typed in a second tab is kept when the first answers, and the second shows the answer', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^409 POST \/api\/messages\/.*\/reply$/, /net::ERR_/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  for (const isLive of [true, false]) {
    const id = await sender.sendMessage(plate, 'Your lights are on')
    const [first, second] = [await visit({ as: owner }), await visit({ as: owner })]
    if (!isLive) await second.route('**/api/live', (route) => route.abort())
    for (const page of [first, second]) await page.goto(`/dashboard/messages?view=received#${id}`)
    const card = second.getByRole('article')
    await card.getByRole('textbox').fill('I am in the shop, two minutes')
    await first.getByRole('article').getByRole('button', { name: 'I’m coming now' }).click()
    await expect(first.getByRole('article').getByRole('textbox')).toHaveCount(0)
    await expect(first.getByText('Not sent')).toHaveCount(0)
    if (!isLive) {
      await card.getByRole('button', { name: /Send reply/ }).click()
      await expect(second.getByText('You have already replied to this message.').first()).toBeVisible()
    }
    await expect(card).toContainText('I’m coming now')
    await expect(card.getByRole('textbox')).toHaveCount(0)
    await expect(card).toBeFocused()
    await expect(card).toContainText('Not sent: what you wrote')
    await expect(card).toContainText('I am in the shop, two minutes')
    await card.getByRole('button', { name: 'Discard' }).click()
    await expect(card).not.toContainText('two minutes')
  }
})
