import type { Page } from '@playwright/test'
import type { Locale } from '#contract/product.ts'
import { cookieNames, toAccountCookie, UNSAVED } from '../../contract/src/session-cookie.ts'
import { expect } from './fixtures.ts'
import { PASSWORD } from './people.ts'

/** Locates the navigation of signed-in pages, which on a phone is behind a button. */
export const menu = (page: Page) => ({
  async open() {
    const button = page.getByRole('banner').getByRole('button', { name: 'Menu' })
    // a page that was just opened shows neither until it has read its session
    const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
    await button.or(links).first().waitFor()
    if ((await button.isVisible()) && (await button.getAttribute('aria-expanded')) !== 'true') await button.click()
  },
  link: (name: string) => page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name }),
})

/** Fills in the form of /login, in either language, and submits it. */
export async function logIn(page: Page, email: string, password = PASSWORD) {
  // the form of /signup has fields of the same names, and is still there for a moment when its address is left
  const form = page.getByRole('main').locator('form', { has: page.locator('[autocomplete=current-password]') })
  await form.locator('[name=email]').fill(email)
  await form.locator('[name=password]').fill(password)
  await form.locator('button[type=submit]').first().click()
}

/** Locates the field for the six digits of an email. */
export const codeField = (page: Page) => page.locator('[name=code]')

/** Asks for a code on /login, in English. */
export async function askForCode(page: Page, email: string) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(codeField(page)).toBeFocused()
}

/** Returns a code that is not this one. */
export const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Fills in the form of /signup, in English, and submits it. Leads to the page that waits for the email. */
export async function signUp(page: Page, email: string, { fullName = 'Robin Tester', password = PASSWORD } = {}) {
  await page.getByLabel('Full Name').fill(fullName)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByLabel('I agree to the terms and conditions.').check()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
}

/** Sets the language of the signed-in user, as if it had been chosen in this browser. */
export async function rememberLanguage(page: Page, locale: Locale) {
  const account = (await page.context().cookies()).find(({ name }) => name === ACCOUNT)!
  const [userId = ''] = account.value.split('.')
  await page.context().addCookies([{ ...account, value: toAccountCookie(userId, locale) + UNSAVED }])
}

/** The names of the cookies of a session. */
export const { session: SESSION, account: ACCOUNT } = cookieNames(false)

/** Returns the refresh token of a browser; undefined where nobody is signed in. */
export const sessionToken = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === SESSION)?.value

/** Locates the button of the menu on a vehicle's card, in English. */
export const vehicleMenu = (page: Page, plate: string) => page.getByRole('button', { name: `More actions ${plate}` })

/** Chooses an action in the menu of a vehicle's card. */
export async function chooseForVehicle(page: Page, plate: string, action: string) {
  await vehicleMenu(page, plate).click()
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
}

/** Locates the form of /send. */
export const sendForm = (page: Page) => ({
  plate: page.getByLabel('License Plate'),
  message: page.getByRole('textbox', { name: 'Message' }),
  province: page.getByLabel('Province'),
  photo: page.locator('input[type=file]:not([capture])'),
  reason: (name: string) => page.getByRole('group', { name: 'What is it about?' }).getByRole('button', { name }),
  async fill(plate: string, message: string) {
    await page.getByLabel('License Plate').fill(plate)
    await page.getByRole('textbox', { name: 'Message' }).fill(message)
  },
  submit: () => page.getByRole('button', { name: 'Send Message' }).click(),
  /** The heading that confirms the message. */
  sent: page.getByRole('heading', { name: 'Message sent' }),
})

/**
 * Matches the files of the auth client: auth-js itself and its setup (the build's groups in web/vite.config.ts). Pages do
 * not load them until a session has to be started, renewed or ended.
 */
export const AUTH_CLIENT = /\/(session\.client|auth-js)-[\w-]+\.js$/

/** Waits until the page has nothing to do. A headless browser that draws no frame may never say so, hence the time limit. */
export const waitForIdle = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })))

/** Fires the event of somebody coming back to the tab of a page. */
export const simulateTabReturn = (page: Page) => page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")

/** Locates the form of /dashboard/vehicle/new, in English. */
export const vehicleForm = (page: Page) => ({
  plate: page.getByLabel('License Plate'),
  make: page.getByLabel('Make'),
  model: page.getByLabel('Model'),
  year: page.getByLabel('Year'),
  province: page.getByLabel('Province'),
  button: page.getByRole('button', { name: 'Register vehicle' }),
  async fill(plate: string) {
    await page.getByLabel('License Plate').fill(plate)
    await page.getByLabel('Make').selectOption('Toyota')
    await page.getByLabel('Model').selectOption('Corolla')
    await page.getByLabel('Year').selectOption('1999')
    await page.getByLabel('Province').selectOption('Quebec')
  },
})

/** Locates the form of /contact-us, in English. */
export const contactForm = (page: Page) => ({
  /** Exists once the scripts have taken over from the browser, which would validate and post the form by itself. */
  hydrated: page.locator('form[novalidate]'),
  name: page.getByRole('textbox', { name: 'Name' }),
  email: page.getByRole('textbox', { name: 'Email' }),
  subject: page.getByLabel('Subject'),
  message: page.getByRole('textbox', { name: 'Message' }),
  button: page.getByRole('button', { name: 'Send Message' }),
  async fill(typed: { name?: string; email: string; subject: string; message: string }) {
    await page.getByRole('textbox', { name: 'Name' }).fill(typed.name ?? 'Robin Tester')
    await page.getByRole('textbox', { name: 'Email' }).fill(typed.email)
    await page.getByLabel('Subject').selectOption(typed.subject)
    await page.getByRole('textbox', { name: 'Message' }).fill(typed.message)
  },
  submit: () => page.getByRole('button', { name: 'Send Message' }).click(),
  /** The heading that confirms the message. */
  sent: page.getByRole('heading', { name: 'Message Sent!' }),
})

/** Delays every script file until `release`; until then there is only the page's HTML. */
export async function holdScripts(page: Page) {
  const gate = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await gate.promise
    await route.continue()
  })
  return { release: gate.resolve }
}

/** Records the requests of a page from now on, as `POST /send-email`. */
export function recordRequests(page: Page, wanted = /./): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const line = `${request.method()} ${new URL(request.url()).pathname}`
    if (wanted.test(line)) requests.push(line)
  })
  return requests
}

/** A refusal that no screen knows, so that its text is shown as it is, in either language. */
export const SERVER_ERROR = { error: 'The database is on its lunch break.', code: 'unexpected' }

/** Safari on an iPhone, whose pages show notifications only once they are installed. */
export const IPHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
