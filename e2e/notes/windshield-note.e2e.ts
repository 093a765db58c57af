import { readFile } from 'node:fs/promises'
import { noteCodeDigits } from '#contract/note-code.ts'
import { localizedPath } from '#contract/paths.ts'
import { messageTemplate } from '#contract/reasons.ts'
import { m } from '#texts/messages.js'
import { expect, test } from '../support/fixtures.ts'
import { readCode } from '../support/image-files.ts'
import { signUp, vehicleForm } from '../support/page-objects.ts'
import { confirmationLink, newEmail, newPlate, UNBROKEN } from '../support/people.ts'
import { tabTo } from '../support/tab-order.ts'
import { textsOf } from '../support/texts.ts'

// A note on the windshield (decision windshield-note), from the refused send to the inbox of who registers.

test('a refused send becomes a note, is answered in the other language, and is added to the messages of who registers @phone', async ({
  audit,
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^404 POST \/(?:api\/messages|n)$/)
  const [locale, reader] = ['fr-CA', 'en'] as const
  const [t, r] = [textsOf(locale), textsOf(reader)]
  const plate = newPlate()
  const sender = await person({ locale })
  // as fine as paper: 192 dots an inch, where a printer has 300 and more
  const page = await visit({ as: sender, at: localizedPath('/send', locale), options: { deviceScaleFactor: 2 } })
  await page.getByRole('textbox', { name: t('send_plate') }).fill(plate)
  await page.getByRole('button', { name: t('reason_lights_on') }).click()
  await page.getByRole('button', { name: t('send_submit') }).click()
  await expect(page.getByText(m.refusal_plate_not_registered({}, { locale }))).toBeVisible()
  await expect(page.getByText(t('note_offer'))).toBeVisible()
  await audit(page, 'note offer')
  await page.getByRole('button', { name: t('note_leave') }).click()
  await expect(page.getByRole('heading', { name: t('note_done_title') })).toBeFocused()
  const paper = page.getByRole('region', { name: t('note_paper') })
  const code = /\d{4} \d{4} \d{4}/.exec(await paper.innerText())![0]
  await audit(page, 'note to print')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t('note_save') }).click()
  const picture = await download
  expect(picture.suggestedFilename()).toMatch(/\.png$/)
  expect(await readCode(await readFile(await picture.path())), 'in the picture').toContain(noteCodeDigits(code))
  const address = new RegExp(`/n#${noteCodeDigits(code)}$`)
  expect(await readCode(await paper.screenshot()), 'on the screen').toMatch(address)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: t('note_print') })).toBeHidden()
  expect(await readCode(await paper.screenshot()), 'on paper').toMatch(address)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g), 'sheets').toHaveLength(1)
  await page.emulateMedia({ media: 'screen' })

  // somebody at the car, without an account, with the keyboard alone
  const car = await visit({ at: `${localizedPath('/n', reader)}#${noteCodeDigits(code)}` })
  await expect(car.getByLabel(r('note_code'))).toHaveValue(code)
  expect(car.url()).not.toContain('#') // nor is the code in the history
  await expect(car.getByLabel(r('note_plate'))).toBeFocused()
  await car.keyboard.type('WRONG')
  await car.keyboard.press('Enter')
  await expect(
    car.getByRole('alert').filter({ hasText: m.refusal_note_not_found({}, { locale: reader }) }),
  ).toBeVisible()
  await audit(car, 'refused code')
  await tabTo(car, car.getByLabel(r('note_plate')))
  await car.keyboard.press('ControlOrMeta+A')
  await car.keyboard.type(plate)
  await car.keyboard.press('Enter')
  await expect(car.getByRole('heading', { name: r('note_for_you') })).toBeFocused()
  await expect(car.getByText(messageTemplate('lights_on', reader)!)).toBeVisible()
  await audit(car, 'opened note')
  await tabTo(car, car.getByLabel(r('note_reply')))
  await car.keyboard.type('J’arrive')
  await tabTo(car, car.getByRole('button', { name: r('note_reply_once') }))
  await car.keyboard.press('Enter')
  await expect(car.getByText(r('note_replied'))).toBeVisible()
  await audit(car, 'answered note')

  // another one is unwanted
  const unwanted = await (await person()).leaveNote(plate, UNBROKEN)
  const other = await visit({ at: `${localizedPath('/n', reader)}#${noteCodeDigits(unwanted)}` })
  await other.getByLabel(r('note_plate')).fill(plate)
  await other.keyboard.press('Enter')
  await expect(other.getByRole('heading', { level: 1 })).toBeFocused() // the note has come
  await tabTo(other, other.locator('summary').filter({ hasText: r('note_unwanted') }))
  await other.keyboard.press('Enter')
  await expect(other.getByRole('heading', { name: r('note_unwanted_title') })).toBeVisible()
  await audit(other, 'an unwanted note')
  await tabTo(other, other.getByRole('button', { name: r('note_throw_away') }))
  await other.keyboard.press('Enter')
  await expect(other.getByRole('heading', { name: r('note_gone_title') })).toBeFocused()
  await audit(other, 'a note that is gone')

  await page.goto(localizedPath('/dashboard/messages?view=sent', locale))
  await page.getByRole('tabpanel').getByRole('listitem').first().getByRole('link').click()
  const sent = page.getByRole('article')
  await expect(sent).toContainText('J’arrive')
  await expect(sent).toContainText(t('message_note'))
  await expect(sent).not.toContainText(plate)

  await car.getByRole('link', { name: r('note_register', { plate }) }).click()
  await expect(car).toHaveURL(/\/signup$/)
  const email = newEmail('reader')
  await signUp(car, email)
  const tab = await car.context().newPage() // as on a phone, which opens a link in another one
  await tab.goto(await confirmationLink(product, email))
  await expect(tab).toHaveURL(/\/dashboard$/)
  await audit(tab, 'dashboard of somebody who came with a plate')
  await tab.getByRole('link', { name: r('dashboard_add_vehicle') }).click()
  await expect(tab.getByRole('textbox', { name: r('vehicles_plate') })).toHaveValue(plate)
  await vehicleForm(tab).fill(plate)
  await vehicleForm(tab).button.press('Enter') // a hint may come at that moment, and would move the button away from a press
  await tab.getByRole('button', { name: r('note_add') }).click()
  await expect(tab).toHaveURL(/\/dashboard\/messages\?view=received#/)
  const received = tab.getByRole('article').first()
  await expect(received).toContainText(messageTemplate('lights_on', reader)!)
  await expect(received).toContainText('J’arrive')
  // nothing is carried any more; another code can be entered from here
  await tab.goto(localizedPath('/dashboard', reader))
  await tab.getByRole('link', { name: r('dashboard_enter_code') }).click()
  await expect(tab.getByLabel(r('note_code'))).toHaveValue('')
})
