import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { sendForm } from '../support/page-objects.ts'
import { confirmationLink, emailedCode, newEmail, newPlate, PASSWORD } from '../support/people.ts'

// How much somebody beside a vehicle has to do on a phone, from the landing page to a message that is sent.

/** The only way by which these tests touch a page: it counts every tap and every key, which goes where the focus is. */
function countOn(page: Page, count = { taps: 0, keys: 0, addressKeys: 0 }) {
  const type = (text: string) => page.keyboard.type(text)
  return {
    count,
    async tap(target: Locator) {
      count.taps += 1
      await target.tap()
    },
    async type(text: string) {
      count.keys += text.length
      await type(text)
    },
    async typeAddress(email: string) {
      count.addressKeys += email.length
      await type(email)
    },
  }
}
type Counted = ReturnType<typeof countOn>

/** Locates what is tapped on the way. */
const screens = (page: Page) => {
  const main = page.getByRole('main')
  return {
    sendAMessage: main.getByRole('link', { name: 'Send a Message' }).first(),
    email: page.getByRole('textbox', { name: 'Email' }),
    password: page.getByLabel('Password', { exact: true }),
    emailMeACode: page.getByRole('button', { name: 'Email me a code' }),
    code: page.locator('[name=code]'),
    logIn: main.getByRole('button', { name: 'Log In' }),
    agree: page.getByRole('button', { name: 'Agree and continue' }),
    terms: page.getByRole('checkbox'),
    form: sendForm(page),
    send: page.getByRole('button', { name: 'Send Message' }),
  }
}

/** Sends a message with the text of its reason, and returns what it took from the landing page on. */
async function send(page: Page, { tap, type, count }: Counted, plate: string) {
  const { form, send } = screens(page)
  await tap(form.reason('Lights are on'))
  await tap(form.plate)
  await type(plate)
  await tap(send)
  await expect(form.sent).toBeVisible()
  return count
}

/** Asks for a code on the way from the landing page, and types it. */
async function logInWithCode(
  page: Page,
  { tap, type, typeAddress }: Counted,
  email: string,
  code: () => Promise<string>,
) {
  const { sendAMessage, email: address, emailMeACode, code: digits } = screens(page)
  await page.goto('/')
  await tap(sendAMessage)
  await tap(address)
  await typeAddress(email)
  await tap(emailMeACode)
  await expect(digits).toBeFocused()
  await type(await code())
}

const record = (way: string, { taps, keys }: Counted['count']) =>
  test.info().annotations.push({ type: way, description: `${taps} taps, ${keys} characters beside the address` })

test('somebody new sends a message with 9 taps and 13 characters beside their address, in one tab @phone', async ({
  visit,
  person,
  product,
}) => {
  const { plate } = await (await person()).registerVehicle(newPlate())
  const [email, formerly] = [newEmail(), newEmail()]

  const page = await visit()
  const counted = countOn(page)
  const { terms, agree } = screens(page)
  await logInWithCode(page, counted, email, () => emailedCode(product, email))
  await counted.tap(terms)
  await counted.tap(agree)
  const byCode = await send(page, counted, plate)
  record('somebody new, by code', byCode)
  expect(page.context().pages()).toHaveLength(1)
  expect(byCode.taps).toBeLessThanOrEqual(9)
  expect(byCode.keys).toBeLessThanOrEqual(13)
  expect(byCode.addressKeys).toBe(email.length)

  // the way there was: a password, typed twice, and a link in another tab
  const first = await visit()
  const old = countOn(first)
  const signUp = first.getByRole('main')
  await first.goto('/')
  await old.tap(screens(first).sendAMessage)
  await old.tap(signUp.getByRole('link', { name: 'Sign Up' }))
  await old.tap(first.getByLabel('Full Name'))
  await old.type('Robin Tester')
  await old.tap(screens(first).email)
  await old.typeAddress(formerly)
  for (const label of ['Password', 'Confirm Password']) {
    await old.tap(first.getByLabel(label, { exact: true }))
    await old.type(PASSWORD)
  }
  await old.tap(screens(first).terms)
  await old.tap(signUp.getByRole('button', { name: 'Sign Up' }))
  const second = await first.context().newPage()
  await second.goto(await confirmationLink(product, formerly))
  old.count.taps += 1 // on the link, in the mail program
  const byPassword = await send(second, countOn(second, old.count), plate)
  record('somebody new, by password and link', byPassword)
  expect(byPassword.taps).toBeGreaterThan(byCode.taps)
  expect(byPassword.keys).toBeGreaterThan(byCode.keys)
})

test('somebody known who is signed out sends a message with 7 taps @phone', async ({ visit, person, product }) => {
  const { plate } = await (await person()).registerVehicle(newPlate())
  const { email } = await person()

  const page = await visit()
  const counted = countOn(page)
  await logInWithCode(page, counted, email, () => emailedCode(product, email, 2))
  const byCode = await send(page, counted, plate)
  record('somebody known, by code', byCode)
  expect(byCode.taps).toBeLessThanOrEqual(7)
  expect(byCode.keys).toBeLessThanOrEqual(13)

  const other = await visit()
  const old = countOn(other)
  const { sendAMessage, email: address, password, logIn } = screens(other)
  await other.goto('/')
  await old.tap(sendAMessage)
  await old.tap(address)
  await old.typeAddress(email)
  await old.tap(password)
  await old.type(PASSWORD)
  await old.tap(logIn)
  const byPassword = await send(other, old, plate)
  record('somebody known, by password', byPassword)
  expect(byPassword.taps).toBeGreaterThan(byCode.taps)
  expect(byPassword.keys).toBeGreaterThan(byCode.keys)
})
