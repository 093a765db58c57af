import { MessageReason } from '#contract/messages.ts'
import { messageTemplate, reasonName } from '#contract/reasons.ts'
import { expect, test } from '../support/fixtures.ts'
import { rememberLanguage, sendForm } from '../support/page-objects.ts'

test('two taps give the reason, which the owner reads in their language', async ({ person, visit }) => {
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  await expect(page.getByRole('group', { name: 'What is it about?' }).getByRole('button')).toHaveCount(
    MessageReason.options.length,
  )
  await form.reason('Lights are on').click()
  await form.reason('Alarm going off').click()
  await expect(form.message).toHaveValue(messageTemplate('alarm', 'en') ?? '')
  await expect(form.reason('Lights are on')).toHaveAttribute('aria-pressed', 'false')
  // where the system forces its colours, the ground of the chosen one is that of the others
  await page.emulateMedia({ forcedColors: 'active' })
  await expect(form.reason('Alarm going off')).toHaveCSS('outline-style', 'solid')
  await expect(form.reason('Lights are on')).toHaveCSS('outline-style', 'none')
  await page.emulateMedia({ forcedColors: 'none' })
  await form.submit()
  await expect(form.sent).toBeVisible()
  await page.getByRole('link', { name: 'Send a Message' }).click()
  await expect(page.getByRole('button', { pressed: true })).toHaveCount(0)

  await form.plate.fill(plate)
  await form.reason('Alarm going off').click()
  await form.message.press('End')
  await form.message.pressSequentially(' Level P2.')
  const edited = `${messageTemplate('alarm', 'en')} Level P2.`
  await expect(form.message).toHaveValue(edited)
  const question = page.getByRole('group', { name: 'What happened?' })
  await expect(question).toHaveCount(0)
  await form.reason('Minor accident').click()
  await expect(form.message).toHaveValue(edited)
  await expect(question).toBeVisible()
  await form.reason('Minor accident').click() // deselects it
  await expect(question).toHaveCount(0)
  await expect(form.message).toHaveValue(edited)
  await form.reason('Door, window or trunk open').click()
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toMatchObject([{ reason: 'door_open', content: edited }, { reason: 'alarm' }])

  const inbox = await visit({ as: owner, at: '/fr/dashboard/messages' })
  const card = inbox.getByRole('article')
  await expect(card.getByText(reasonName('door_open', 'fr-CA')!, { exact: true })).toBeVisible()
  await expect(card).toContainText(edited)
  await inbox.getByRole('tabpanel').getByRole('listitem').nth(1).getByRole('link').click()
  await expect(card).toContainText(messageTemplate('alarm', 'fr-CA')!)
  // the sender reads the text of the button
  await page.goto('/dashboard/messages?view=sent')
  await page.getByRole('tabpanel').getByRole('listitem').nth(1).getByRole('link').click()
  await expect(page.getByRole('article').getByText('Alarm going off', { exact: true })).toBeVisible()
})

test('with somebody inside, calling 911 comes before anything else', async ({ audit, person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: '/send' })
  const form = sendForm(page)
  const notice = page.getByRole('region', { name: 'Call 911 first' })
  await form.plate.fill(plate)
  await form.reason('Child or animal inside').click()
  await expect(notice).toBeFocused()
  await expect(notice).toHaveAccessibleDescription(/in danger within minutes/)
  await expect(notice.getByRole('link', { name: 'Call 911' })).toHaveAttribute('href', 'tel:911')
  await expect(form.message).toBeHidden()
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeHidden()
  await form.plate.press('Enter')
  await expect(notice).toBeFocused()
  await audit(page, 'somebody inside')

  await notice.getByRole('button', { name: 'Continue to message' }).click()
  await expect(form.message).toBeFocused()
  await expect(form.message).toHaveValue(messageTemplate('someone_inside', 'en') ?? '')
  await expect(notice.getByRole('link', { name: 'Call 911' })).toBeVisible()

  // in the other language, and after a reload: first again
  await rememberLanguage(page, 'fr-CA')
  await page.goto('/fr/send')
  const french = page.getByRole('region', { name: 'Appelez d’abord le 911' })
  await expect(french.getByRole('link', { name: 'Appeler le 911' })).toHaveAttribute('href', 'tel:911')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeHidden()
  await french.getByRole('button', { name: 'Passer au message' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(
    messageTemplate('someone_inside', 'fr-CA') ?? '',
  )
  const reason = page.getByRole('button', { name: 'Enfant ou animal à l’intérieur' })
  await reason.click()
  await expect(french).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')

  // and after it was sent, for both
  await reason.click()
  await french.getByRole('button', { name: 'Passer au message' }).click()
  await page.getByRole('button', { name: 'Envoyer le message' }).click()
  await expect(page.getByRole('article').getByRole('link', { name: 'Appeler le 911' })).toBeVisible()
  const owners = await visit({ as: owner, at: '/dashboard' })
  const main = owners.getByRole('main')
  await expect(main).toContainText('Go now. If you can’t, call 911.')
  await expect(main.getByRole('link', { name: 'Call 911' })).toHaveAttribute('href', 'tel:911')
  await audit(owners, 'somebody inside, on the dashboard')
  await owners.goto('/dashboard/messages')
  await owners.getByRole('tabpanel').getByRole('listitem').getByRole('link').click()
  const card = owners.getByRole('article')
  await expect(card).toContainText('Go now. If you can’t, call 911.')
  await expect(card.getByRole('link', { name: 'Call 911' })).toHaveAttribute('href', 'tel:911')
  await audit(owners, 'somebody inside, for the owner')
})
