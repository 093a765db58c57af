import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'

const THREAT = 'I know where you park. You will see.'

/** What the sheet is called in each language, as its readers see it. */
const TEXTS = {
  en: {
    open: /^Block or report/,
    block: 'Block this person',
    report: 'Report to our moderators',
    both: 'Both',
    threat: 'A threat',
    danger: 'Call 911 if you’re in danger',
    missing: 'Please choose what’s wrong.',
    note: /^Note to the moderators/,
    submitBlock: 'Block',
    submitReport: 'Send the report',
    done: 'Blocked and reported',
    close: 'Done',
    copy: 'Keep a copy for yourself',
    copyTitle: 'Copy of a message',
    print: 'Print or save as PDF',
    blocked: 'Blocked people',
    sender: /^Sender of the message of \w{3} \d+, \d{4} about /,
    unblock: /^Unblock/,
    none: /^You haven’t blocked anyone/,
  },
  'fr-CA': {
    open: /^Bloquer ou signaler/,
    block: 'Bloquer cette personne',
    report: 'Signaler à la modération',
    both: 'Les deux',
    threat: 'Une menace',
    danger: 'En cas de danger, appelez le 911',
    missing: 'Veuillez choisir le problème.',
    note: /^Note à la modération/,
    submitBlock: 'Bloquer',
    submitReport: 'Envoyer le signalement',
    done: 'Personne bloquée et signalée',
    close: 'Terminé',
    copy: 'Garder une copie pour vous',
    copyTitle: 'Copie d’un message',
    print: 'Imprimer ou enregistrer en PDF',
    blocked: 'Personnes bloquées',
    sender: /^Personne qui a envoyé le message du \d+(er)? \S+ \d{4} au sujet de /,
    unblock: /^Débloquer/,
    none: /^Vous n’avez bloqué personne/,
  },
}

/** Opens the sheet of the newest message. */
async function openSheet(page: Page, name: RegExp) {
  const button = page.getByRole('article').first().getByRole('button', { name })
  await button.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('radio').first()).toBeVisible()
  return { button, sheet }
}

const receivedTexts = async (owner: Person) => (await owner.receivedMessages()).map(({ content }) => content)

for (const { locale, prefix, tag } of [
  { locale: 'en', prefix: '', tag: ['@phone'] },
  { locale: 'fr-CA', prefix: '/fr', tag: [] },
] satisfies { locale: keyof typeof TEXTS; prefix: string; tag: string[] }[]) {
  const texts = TEXTS[locale]

  test(`a recipient blocks and reports with the keyboard, keeps a copy, and ends the block (${locale}) @always`, {
    tag,
  }, async ({ person, product, visit }) => {
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const { plate } = await owner.registerVehicle()
    const id = await sender.sendMessage(plate, THREAT)
    const page = await visit({ as: owner, at: `${prefix}/dashboard/messages` })
    const { button, sheet } = await openSheet(page, texts.open)
    // Escape changes nothing, and returns the focus
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')

    // also while nothing is chosen
    await expect(sheet.getByRole('link', { name: texts.danger })).toHaveAttribute('href', 'tel:911')
    await sheet.getByRole('radio', { name: texts.block }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(sheet.getByRole('radio', { name: texts.report })).toBeChecked()
    await page.keyboard.press('ArrowDown')
    await expect(sheet.getByRole('radio', { name: texts.both })).toBeChecked()
    await sheet.locator('button[type=submit]').press('Enter')
    await expect(sheet.getByText(texts.missing)).toBeVisible()
    await expect(sheet.locator('[value=harassment]')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(sheet.getByRole('radio', { name: texts.threat })).toBeChecked()
    await expect(sheet.getByRole('status')).toContainText(texts.danger)
    await expect(sheet.locator('a[href="tel:911"]')).toBeVisible()
    await sheet.getByRole('textbox', { name: texts.note }).fill('It is not the first time.')
    await sheet.locator('button[type=submit]').press('Enter')
    await expect(sheet.getByRole('heading', { level: 3, name: texts.done })).toBeFocused()
    await sheet.getByRole('button', { name: texts.close }).click()
    await expect(sheet).toHaveCount(0)
    await expect(button).toBeFocused()
    const cases = await product.db`select from report_cases where message_id = ${id} and reason = 'threat'`
    expect(cases).toHaveLength(1)
    await sender.sendMessage(plate, 'Answer me.')
    expect(await receivedTexts(owner)).toEqual([THREAT])

    await page.keyboard.press('Enter')
    await sheet.getByRole('link', { name: texts.copy }).click()
    await expect(page.getByRole('heading', { level: 1, name: texts.copyTitle })).toBeVisible()
    await expect(page.getByRole('article')).toContainText(THREAT)
    await expect(page.getByRole('article')).toContainText(plate)
    await page.evaluate('window.printed = 0; window.print = () => { window.printed++ }')
    await page.getByRole('button', { name: texts.print }).click()
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

    await page.goto(`${prefix}/dashboard/profile`)
    const section = page.getByRole('region', { name: texts.blocked })
    await section.scrollIntoViewIfNeeded()
    await expect(section.getByRole('listitem')).toHaveText(texts.sender)
    await section.getByRole('button', { name: texts.unblock }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: texts.unblock }).click()
    await expect(section.getByText(texts.none)).toBeVisible()
    await sender.sendMessage(plate, 'Your lights are on.')
    expect(await receivedTexts(owner)).toEqual(['Your lights are on.', THREAT])
  })
}

test('a sender blocks the replies of an owner, and reports one only', async ({ person, product, visit }) => {
  const { open, report, submitBlock, submitReport, close, blocked } = TEXTS.en
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const unanswered = await sender.sendMessage(plate, 'Hello?')
  const page = await visit({ as: sender, at: '/dashboard/messages?view=sent' })
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('button', { name: open })).toHaveCount(0) // nothing there that could be reported
  await owner.replyTo(unanswered, 'I will find you.')
  const { sheet } = await openSheet(page, open)
  await expect(sheet).toContainText(`The reply to your message of`)
  await sheet.getByRole('radio', { name: report }).check()
  await sheet.getByRole('radio', { name: 'Harassment' }).check()
  await sheet.getByRole('button', { name: submitReport }).click()
  await expect(sheet.getByRole('heading', { level: 3, name: 'Report sent' })).toBeVisible()
  await sheet.getByRole('button', { name: close }).click()
  const [one] = await product.db<{ side: string }[]>`select side from report_cases where message_id = ${unanswered}`
  expect(one?.side).toBe('reply')

  await page.getByRole('button', { name: open }).click()
  await sheet.getByRole('button', { name: submitBlock, exact: true }).click()
  await expect(sheet.getByRole('heading', { level: 3, name: 'Blocked' })).toBeVisible()
  await sheet.getByRole('button', { name: close }).click()
  await owner.replyTo(await sender.sendMessage(plate, 'Your lights are on.'), 'I am still here.')
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText('No reply yet')).toBeVisible()
  await expect(page.getByText('I am still here.')).toHaveCount(0)
  await page.goto('/dashboard/profile')
  const section = page.getByRole('region', { name: blocked })
  await section.scrollIntoViewIfNeeded()
  await expect(section.getByRole('listitem')).toHaveText(/^Owner of \w+, whom you messaged on /)
})

test('a report that fails says so, keeps what was written, and can be sent again', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^429 POST \/api\/messages/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, THREAT)
  const page = await visit({ as: owner, at: '/dashboard/messages' })
  await page.route('**/report', (route) =>
    route.fulfill({ status: 429, json: { error: 'You’ve sent many reports today.', code: 'too_many_requests' } }),
  )
  const { sheet } = await openSheet(page, TEXTS.en.open)
  await sheet.getByRole('radio', { name: TEXTS.en.both }).check()
  await sheet.getByRole('radio', { name: TEXTS.en.threat }).check()
  await sheet.getByRole('textbox', { name: TEXTS.en.note }).fill('Please hurry')
  await sheet.locator('button[type=submit]').click()
  await expect(sheet.getByText('You’ve sent many reports today.')).toBeVisible()
  await expect(sheet.getByRole('textbox', { name: TEXTS.en.note })).toHaveValue('Please hurry')
  await page.unroute('**/report')
  await sheet.locator('button[type=submit]').click()
  await expect(sheet.getByRole('heading', { level: 3, name: TEXTS.en.done })).toBeVisible()
})
