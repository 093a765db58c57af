import type { Locator, Page } from '@playwright/test'
import { expect, type TestFixtures } from './fixtures.ts'
import { photo } from './image-files.ts'
import { menu, sendForm, signUp, vehicleForm } from './page-objects.ts'
import { confirmationLink, newEmail } from './people.ts'
import type { Product } from './product.ts'

type HappyPathContext = {
  product: Product
  person: TestFixtures['person']
  visit: TestFixtures['visit']
  /** As the owner writes it, with a space; nobody else may have it. */
  plate: string
}

const MESSAGE = 'Your headlights are on, level P2 by the elevator.'
const REPLY = 'Thank you! I am on my way.\nYou saved my battery.'

/** Goes through the main use case with two people, from the landing page to the reply. */
export async function runHappyPath({ product, person, visit, plate }: HappyPathContext) {
  const shownPlate = plate.replace(' ', '')
  const owner = await visit()
  await join(owner, product)
  await registerPlate(owner, plate)
  await owner.goto('/dashboard')
  await expect(owner.getByRole('heading', { name: 'Hello, Maya' })).toBeVisible()

  const sender = await visit({ as: await person({ fullName: 'Sam Sender' }), at: '/dashboard' })
  // spelled in another way than the owner does: each side reads its own
  const typedPlate = plate.replace(' ', '-')
  await sendWithPhoto(sender, typedPlate.toLowerCase())

  // the owner's dashboard has been open all the time: nothing is reloaded
  await expect(owner.getByRole('region', { name: MESSAGE })).toContainText('Reply')
  await owner.bringToFront() // in Firefox one window alone has the focus
  await menu(owner).open()
  await expect(menu(owner).link('Notifications')).toContainText('1 unread notification')
  await menu(owner).link('Notifications').click()
  await owner.getByRole('link', { name: `New message for ${shownPlate}` }).click()
  await expect(owner).toHaveURL(/\/dashboard\/messages\?view=received#[0-9a-f-]{36}$/)

  const received = owner.getByRole('article', { name: `Message to ${shownPlate}` })
  await expect(received).toBeFocused()
  await expect(received).toContainText(MESSAGE)
  await expect(received.getByRole('button', { name: 'Mark unread' })).toBeVisible()
  await viewImage(owner)
  await expect(owner.locator('body')).not.toContainText('Sam Sender')

  // the sender is on the message they sent
  const sent = sender.getByRole('article', { name: `Message to ${typedPlate}` })
  await expect(sent).toContainText('No reply yet')

  await received.getByLabel('Reply').fill(REPLY)
  await received.getByRole('button', { name: 'Send reply' }).click()
  await expect(owner.getByText('Reply sent!')).toBeVisible()
  await expect(received).toContainText('Your reply')
  await expect(received.getByLabel('Reply')).toHaveCount(0)

  await expect(sent).toContainText('The owner replied')
  await expect(sent).toContainText('You saved my battery.')
  await expect(sent).toContainText('Replied')
  await sender.bringToFront()
  await menu(sender).open()
  await menu(sender).link('Notifications').click()
  await sender.getByRole('link', { name: 'You’ve got a new message reply' }).click()
  await expect(sender).toHaveURL(/\/dashboard\/messages\?view=sent#[0-9a-f-]{36}$/)
  await expect(sent).toBeFocused()
  await expect(sender.locator('body')).not.toContainText('Maya')
}

/** Goes from the landing page to the dashboard, through the link of the email. */
async function join(page: Page, product: Product) {
  const email = newEmail()
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Register Your Vehicle' }).first().click()
  await signUp(page, email, { fullName: 'Maya Owner' })
  await expect(page.getByText(email)).toBeVisible()
  await page.goto(await confirmationLink(product, email))
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Email verified!')).toBeVisible()
}

async function registerPlate(page: Page, plate: string) {
  await page.getByRole('main').getByRole('link', { name: 'Add Vehicle' }).first().click()
  await vehicleForm(page).fill(plate)
  await vehicleForm(page).button.press('Enter') // a hint may come at that moment, and would move the button away from a press
  await expect(page.getByText('Plate registered successfully.')).toBeVisible()
  const leave = page.getByRole('link', { name: 'Go to My Vehicles' }) // past what is offered with the first one
  await expect.poll(() => leave.evaluate(isUncovered), 'the toast covers no button').toBe(true)
  await leave.click()
  await expect(page).toHaveURL(/\/dashboard\/vehicles#[0-9a-f-]{36}$/)
  await expect(page.getByRole('img', { name: `Licence plate ${plate.replace(' ', '')}, Quebec` })).toBeVisible()
}

/** Runs in the page: returns whether a press on the element reaches it, or it is out of sight. */
function isUncovered(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect()
  const found = document.elementFromPoint(x + width / 2, y + height / 2)
  return found === null || element.contains(found)
}

async function sendWithPhoto(page: Page, plate: string) {
  await page.getByRole('main').getByRole('link', { name: 'Send Message' }).first().click()
  await expect(page.getByRole('heading', { name: 'Send a Secure Message' })).toBeVisible()
  await sendForm(page).fill(plate, MESSAGE)
  await page.getByLabel('Add a photo').setInputFiles(await photo())
  await expect(page.getByText('Photo added')).toHaveCount(2) // visible, and announced to screen readers
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByRole('heading', { name: 'Message sent' })).toBeFocused()
}

async function viewImage(page: Page) {
  await page.getByRole('button', { name: 'Show the photo' }).click()
  const image = page.getByRole('dialog', { name: 'Photo' }).getByRole('img', { name: 'Photo sent with the message' })
  await expect(image).toBeVisible()
  await expect(image).toHaveJSProperty('naturalWidth', 800)
  await zoom(page, image)
  await page.keyboard.press('Escape')
  await expect(image).toHaveCount(0)
}

/** Zooms in by key, button and press, and out again. */
async function zoom(page: Page, image: Locator) {
  const dialog = page.getByRole('dialog', { name: 'Photo' })
  const width = async () => (await image.boundingBox())?.width ?? 0
  const all = await width()
  await page.keyboard.press('+')
  await expect(dialog).toContainText('150%')
  await expect.poll(width).toBeCloseTo(all * 1.5, 0)
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect(dialog).toContainText('200%')
  await dialog.getByRole('button', { name: 'Photo sent with the message' }).press('0')
  await expect.poll(width).toBeCloseTo(all, 0)
  await image.click({ position: { x: 10, y: 10 } })
  await expect(dialog).toContainText('200%')
  await image.click({ position: { x: 10, y: 10 } })
  await expect(dialog).toContainText('100%')
}
