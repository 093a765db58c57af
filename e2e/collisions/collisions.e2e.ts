import { collisionTemplate } from '#contract/reasons.ts'
import { expect, test } from '../support/fixtures.ts'
import { photo } from '../support/image-files.ts'

test('who hit a vehicle says who they are on a page of its own with the duties, and the owner reads it alone @phone', async ({
  person,
  visit,
  pageGuard,
  audit,
}) => {
  pageGuard.allow(/^404 GET \/api\/messages\/[\w-]+\/collision/)
  const [owner, sender, stranger] = [await person(), await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const send = page.getByRole('button', { name: 'Send Message' })
  const message = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('button', { name: 'Minor accident' }).click()
  const question = page.getByRole('group', { name: 'What happened?' })
  await expect(question.getByRole('button')).toHaveCount(1)
  await message.fill('Hello')
  await send.click()
  await expect(question).toHaveAccessibleDescription('Please choose one.')
  await expect(question.getByRole('button', { name: 'I saw it' })).toBeFocused()
  await message.fill('')
  await question.getByRole('link', { name: 'I hit it' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Give your details after a collision')
  await expect(page.getByText(/anonymous/)).toHaveCount(0)
  await expect(page.getByText('This is not a police report.')).toBeVisible()
  await expect(page.getByLabel('Plate of the vehicle you hit')).toHaveValue(plate)
  await expect(message).toHaveValue(collisionTemplate('hit', 'en'))
  const submit = page.getByRole('button', { name: 'Send my details' })
  await submit.click()
  await expect(page.getByLabel('Where did it happen?')).toBeFocused()
  await page.getByLabel('Where did it happen?').selectOption('Quebec')
  const duties = page.getByRole('region', { name: 'What you have to do in Quebec' })
  await expect(duties.getByRole('listitem').nth(1)).toContainText(
    'If the owner is not there, you must call the police right away.',
  )
  await submit.click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await audit(page, 'details after a collision')
  await page.getByLabel('Name', { exact: true }).fill(`Kim Roy${'bertson'.repeat(13)}`)
  await page.getByLabel('Phone', { exact: true }).fill('514 555-0100')
  await page.getByLabel('Insurer').fill('Aviva')
  await page
    .locator('input[type=file]:not([capture])')
    .first()
    .setInputFiles(await photo())
  await submit.click()
  const address = page.getByLabel('Address', { exact: true })
  await expect(address).toBeFocused()
  await expect(address).toHaveAccessibleDescription('Please enter your address.')
  expect(await owner.receivedMessages()).toEqual([])
  await address.fill('12 Main Street, Gatineau')
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()

  const reading = await visit({ as: owner, at: '/dashboard/messages' })
  await reading.getByRole('tabpanel').getByRole('listitem').getByRole('link').click()
  const article = reading.getByRole('article')
  await expect(article.getByText(collisionTemplate('hit', 'en'))).toBeVisible()
  await expect(article).not.toContainText('Kim Roy')
  await article.getByRole('link', { name: 'Open the details' }).click()
  const shown = reading.getByRole('article')
  for (const text of ['Kim Roy', '514 555-0100', 'Aviva', plate]) await expect(shown).toContainText(text)
  await expect(shown.getByRole('img')).toHaveCount(1)
  await expect(reading.getByText('This is not a police report.')).toBeVisible()
  await expect(reading.getByRole('button', { name: 'Print or save' })).toBeVisible()
  await audit(reading, 'a card')
  const sheet = reading.url()

  await page.goto('/dashboard/messages?view=sent')
  await page.getByRole('tabpanel').getByRole('listitem').getByRole('link').click()
  await page.getByRole('article').getByRole('link', { name: 'Open the details' }).click()
  await expect(page.getByRole('article')).toContainText('Kim Roy')
  const other = await visit({ as: stranger, at: sheet })
  await expect(other.getByText(/^There are no details here that you can read/)).toBeVisible()
})

test('who saw it stays anonymous until they say yes twice, en français', async ({ person, visit, audit }) => {
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person({ locale: 'fr-CA' })]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/fr/send?plate=${plate}` })
  await page.getByRole('button', { name: 'Accrochage' }).click()
  await page.getByRole('button', { name: 'J’ai tout vu' }).click()
  await expect(page.getByText('Ceci n’est pas anonyme. Seul le propriétaire le reçoit.')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'J’accepte de témoigner' }).check()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(collisionTemplate('saw', 'fr-CA'))
  await page.getByRole('button', { name: 'Envoyer le message' }).click()
  await expect(page.getByRole('heading', { name: 'Message envoyé' })).toBeVisible()

  const reading = await visit({ as: owner, at: '/fr/dashboard/messages' })
  const article = reading.getByRole('article')
  await expect(article.getByText('La personne qui écrit a tout vu et accepte de témoigner.')).toBeVisible()
  await audit(reading, 'a witness')
  await article.getByRole('button', { name: 'Demander ses coordonnées' }).click()
  await expect(article.getByText(/^Vous avez demandé des coordonnées/)).toBeVisible()

  await page.goto('/fr/dashboard/notifications')
  await page.getByRole('link', { name: /demande vos coordonnées$/ }).click()
  const own = page.getByRole('article')
  await expect(own.getByText('Ceci n’est pas anonyme. Seul le propriétaire le reçoit.')).toBeVisible()
  await audit(page, 'a witness who is asked')
  await own.getByRole('button', { name: 'Donner mes coordonnées' }).click()
  await expect(own.getByLabel('Nom', { exact: true })).toBeFocused()
  await own.getByLabel('Nom', { exact: true }).fill('LeeChan'.repeat(14))
  await own.getByLabel('Téléphone', { exact: true }).fill('604 555-0199')
  await own.getByLabel('Téléphone', { exact: true }).press('Enter')
  await expect(own.getByText(/^Vous avez donné ces coordonnées au propriétaire/)).toBeVisible()

  // the owner's open page is updated
  await expect(article.getByText(/^Le témoin vous a donné ces coordonnées/)).toBeVisible()
  await expect(article).toContainText('604 555-0199')
})
