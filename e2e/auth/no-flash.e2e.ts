import type { Page } from '@playwright/test'
import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'

test.use(inFullBrowser)

const MEMBER_LINKS = ['Dashboard', 'Go to Dashboard']
const VISITOR_LINKS = ['Log In', 'Sign Up', 'Register Your Vehicle']

declare global {
  interface Window {
    /** The texts of all links that any frame of this document has shown. */
    everShown: Set<string>
  }
}

/** Records before every paint, from the first on, which links it is about to show. */
async function recordShownLinks(page: Page) {
  await page.addInitScript(() => {
    const shown = new Set<string>()
    window.everShown = shown
    const note = () => {
      for (const link of document.querySelectorAll('a')) if (link.checkVisibility()) shown.add(link.textContent.trim())
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
}

const everShown = (page: Page) => page.evaluate(() => [...window.everShown])
const link = (page: Page, name: string) =>
  page.getByRole('banner').or(page.getByRole('main')).getByRole('link', { name, exact: true }).first()

for (const path of ['/', '/about-us', '/contact-us']) {
  test(`no frame of ${path} shows a signed-in user the visitor’s buttons`, async ({ person, visit }) => {
    const page = await visit({ as: await person() })
    await recordShownLinks(page)
    await page.goto(path)
    await expect(link(page, 'Dashboard')).toBeVisible()
    const shown = await everShown(page)
    expect(shown).toEqual(expect.arrayContaining(path === '/' ? MEMBER_LINKS : ['Dashboard']))
    expect(shown.filter((text) => VISITOR_LINKS.includes(text))).toEqual([])
  })

  test(`no frame of ${path} shows a visitor the member’s buttons`, async ({ visit }) => {
    const page = await visit()
    await recordShownLinks(page)
    await page.goto(path)
    await expect(link(page, 'Log In')).toBeVisible()
    const shown = await everShown(page)
    expect(shown).toEqual(expect.arrayContaining(path === '/' ? VISITOR_LINKS : ['Log In', 'Sign Up']))
    expect(shown.filter((text) => MEMBER_LINKS.includes(text))).toEqual([])
  })
}

test('a page restored from the history shows who is signed in now', async ({ person, visit }) => {
  const { email } = await person()
  const page = await visit()
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      document.documentElement.dataset['held'] = String(persisted)
    })
  })
  await page.goto('/')
  await expect(link(page, 'Log In')).toBeVisible()
  await link(page, 'Log In').click()
  await logIn(page, email)
  await expect(page).toHaveURL(/\/dashboard$/)
  // the dashboard replaced the log-in page in the history: one step back is the cached landing page
  await page.goBack({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-held', 'true')
  await expect(link(page, 'Go to Dashboard')).toBeVisible()
  await expect(link(page, 'Log In')).toBeHidden()
})

test('signing out in one tab changes the buttons in all others', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/dashboard' })
  const other = await page.context().newPage()
  await other.goto('/')
  await expect(link(other, 'Go to Dashboard')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(link(other, 'Register Your Vehicle')).toBeVisible()
  await expect(link(other, 'Go to Dashboard')).toBeHidden()
  await expect(link(other, 'Dashboard')).toBeHidden()
})

test('without scripts a page shows the visitor’s buttons, even to a signed-in user', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/', options: { javaScriptEnabled: false } })
  for (const name of VISITOR_LINKS) await expect(link(page, name)).toBeVisible()
  for (const name of MEMBER_LINKS) await expect(link(page, name)).toBeHidden()
})
