import { MessageReason } from '#contract/messages.ts'
import { collisionTemplate, messageTemplate, reasonName } from '#contract/reasons.ts'
import { expect, test } from '../support/fixtures.ts'
import { rememberLanguage, sendForm } from '../support/page-objects.ts'

const REASON_LABELS: Record<MessageReason, string> = {
  blocked_in: 'I’m blocked in',
  lights_on: 'Lights are on',
  door_open: 'Door, window or trunk open',
  alarm: 'Alarm going off',
  accident: 'Minor accident',
  flat_or_leak: 'Flat tire or leak',
  towing: 'About to be towed or ticketed',
  someone_inside: 'Child or animal inside',
  other: 'Something else',
}

/** Returns the text that a reason fills in; for a collision, that of somebody who saw it. */
const templateOf = (reason: MessageReason, locale: 'en' | 'fr-CA') =>
  reason === 'accident' ? collisionTemplate('saw', locale) : (messageTemplate(reason, locale) ?? '')

test('two taps give the reason, and the owner reads it in the owner’s language', async ({ person, product, visit }) => {
  const [owner, sender] = [await person({ locale: 'fr-CA' }), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  for (const reason of MessageReason.options) {
    await form.plate.fill(plate)
    await form.reason(REASON_LABELS[reason]).click()
    await expect(form.reason(REASON_LABELS[reason])).toHaveAttribute('aria-pressed', 'true')
    if (reason === 'someone_inside') await page.getByRole('button', { name: 'Continue to message' }).click()
    if (reason === 'accident') await page.getByRole('button', { name: 'I saw it' }).click()
    await expect(form.message).toHaveValue(templateOf(reason, 'en'))
    if (reason === 'other') {
      await expect(form.message).toBeFocused()
      await form.message.fill('A note')
    }
    await form.submit()
    await expect(form.sent).toBeVisible()
    await page.getByRole('button', { name: 'Send another' }).click()
    await expect(page.getByRole('button', { pressed: true })).toHaveCount(0)
  }
  expect((await owner.receivedMessages()).map(({ reason }) => reason)).toEqual(MessageReason.options.toReversed())

  // the first email comes at once
  const mail = (await product.inbox.to(owner.email, 2)).at(-1)?.parsed.text ?? ''
  expect(mail).toContain(reasonName('blocked_in', 'fr-CA'))
  expect(mail.replace(/\s+/g, ' ')).toContain(messageTemplate('blocked_in', 'fr-CA'))

  const inbox = await visit({ as: owner, at: '/fr/dashboard/messages' })
  const cards = inbox.getByRole('article')
  await expect(cards).toHaveCount(MessageReason.options.length)
  for (const [i, reason] of MessageReason.options.toReversed().entries()) {
    const name = reasonName(reason, 'fr-CA')
    if (name !== null) await expect(cards.nth(i).getByText(name, { exact: true })).toBeVisible()
    await expect(cards.nth(i)).toContainText(templateOf(reason, 'fr-CA') || 'A note')
  }
  await inbox.goto('/fr/dashboard')
  await expect(inbox.getByText(messageTemplate('someone_inside', 'fr-CA') ?? '')).toBeVisible()

  // the sender reads the text of the button
  await page.goto('/dashboard/messages?view=sent')
  await expect(page.getByRole('article').getByText('Lights are on', { exact: true })).toBeVisible()
})

test('with somebody inside, calling 911 comes before anything else @always', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/send' })
  const form = sendForm(page)
  const notice = page.getByRole('region', { name: 'Call 911 first' })
  await form.plate.fill('ABC123')
  await form.reason('Child or animal inside').click()
  await expect(notice).toBeFocused()
  await expect(notice).toHaveAccessibleDescription(/in danger within minutes/)
  await expect(notice.getByRole('link', { name: 'Call 911' })).toHaveAttribute('href', 'tel:911')
  await expect(form.message).toBeHidden()
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeHidden()
  await form.plate.press('Enter')
  await expect(notice).toBeFocused()

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
  await page.getByRole('button', { name: 'Enfant ou animal à l’intérieur' }).click()
  await expect(french).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')
})

test('a reason replaces only an unedited suggestion, and an accident asks what happened', async ({ person, visit }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  await form.reason('Lights are on').click()
  await form.reason('Alarm going off').click()
  await expect(form.message).toHaveValue(messageTemplate('alarm', 'en') ?? '')
  await expect(form.reason('Lights are on')).toHaveAttribute('aria-pressed', 'false')

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
  expect(await owner.receivedMessages()).toMatchObject([{ reason: 'door_open', content: edited }])
})
