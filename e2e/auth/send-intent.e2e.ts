import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { askForCode, logIn, sendForm, signUp } from '../support/page-objects.ts'
import { confirmationLink, newEmail, newPlate } from '../support/people.ts'

const SENTENCE = 'Log in to send your message'

const main = (page: Page) => page.getByRole('main')

/** What the browser keeps beyond the tab. */
const stored = (page: Page) => page.evaluate(() => JSON.stringify(localStorage))

test('the log-in on the way to a message says so, and leads there', async ({ page, person, pageGuard }) => {
  pageGuard.allow(/net::ERR_FAILED/)
  const { email } = await person({ locale: 'fr-CA' })
  // before its scripts run
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/login')
  await expect(page.getByText(SENTENCE)).toBeHidden()
  await page.goto('/login?next=%2Fsend%3Fplate%3DABC')
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await main(page).getByRole('link', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL(/\/signup\?next=%2Fsend%3Fplate%3DABC$/)
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await page.unroute('**/assets/*.js')

  await page.goto('/')
  await main(page).getByRole('link', { name: 'Send a Message' }).first().click()
  await expect(page).toHaveURL(/\/login\?next=%2Fsend$/)
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await page.getByRole('link', { name: 'Français' }).click()
  await expect(page).toHaveURL(/\/fr\/login\?next=%2Fsend$/)
  await expect(page.getByText('Connectez-vous pour envoyer votre message')).toBeVisible()
  await logIn(page, email)
  await expect(page).toHaveURL(/\/fr\/send$/)
})

test('a plate in the address survives links to other tabs, for an hour', async ({ person, visit, product }) => {
  const [plate, email, { email: known }] = [newPlate(), newEmail(), await person()]
  const page = await visit({ at: `/send?plate=${plate}` })
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await main(page).getByRole('link', { name: 'Sign Up' }).click()
  await signUp(page, email)
  const tab = await page.context().newPage()
  await tab.goto(await confirmationLink(product, email))
  await expect(tab).toHaveURL(new RegExp(`/send\\?plate=${plate}$`))
  await expect(sendForm(tab).plate).toHaveValue(plate)
  expect(await stored(tab)).not.toContain(plate)
  await expect(sendForm(page).plate).toHaveValue(plate) // the tab that waited follows

  const late = await visit({ at: `/send?plate=${plate}` })
  await askForCode(late, known)
  expect(await stored(late)).toContain(plate)
  await late.evaluate((key) => {
    const intent = JSON.parse(localStorage.getItem(key) ?? '') as { until: number }
    localStorage.setItem(key, JSON.stringify({ ...intent, until: Date.now() - 1 }))
  }, 'platenote-send-intent')
  const afterAnHour = await late.context().newPage()
  await afterAnHour.goto(await confirmationLink(product, known, 2))
  await expect(afterAnHour).toHaveURL(/\/dashboard$/)
})

test('what was written when a session ended is there in the tab of a link', async ({ person, visit, product }) => {
  const [sender, other] = [await person(), await person()]
  const plate = newPlate()
  for (const [who, plateThere, message] of [
    [other, '', ''],
    [sender, plate, 'Your lights are on, level P2.'],
  ] as const) {
    const page = await visit({ as: sender, at: '/send' })
    await sendForm(page).reason('Lights are on').click()
    await sendForm(page).fill(plate, 'Your lights are on, level P2.')
    await page.context().clearCookies()
    await page.reload()
    await askForCode(page, who.email)
    await expect(page).toHaveURL(/\/verify-email\?next=%2Fsend$/)
    const tab = await page.context().newPage()
    await tab.goto(await confirmationLink(product, who.email, 2))
    await expect(tab).toHaveURL(/\/send$/)
    await expect(sendForm(tab).plate).toHaveValue(plateThere)
    await expect(sendForm(tab).message).toHaveValue(message)
    await expect(tab.getByRole('button', { name: 'Lights are on', pressed: true })).toHaveCount(message === '' ? 0 : 1)
    expect(await stored(tab)).not.toMatch(/lights are on/i)
    // the tab that waited follows, with as much
    await expect(page).toHaveURL(/\/send$/)
    await expect(sendForm(page).message).toHaveValue(message)
  }
})
