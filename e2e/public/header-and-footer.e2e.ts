import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const PHONE = { width: 390, height: 844 }

const headerNav = (page: Page) =>
  page.getByRole('banner').getByRole('navigation', { name: /^(Main navigation|Navigation principale)$/ })
const menuButton = (page: Page) => page.locator('summary', { hasText: 'Menu' })
const linkIn = (page: Page, part: 'banner' | 'contentinfo', name: string) =>
  page.getByRole(part).getByRole('link', { name, exact: true })

test('the menu of a small screen works without scripts, and closes by itself with them', async ({ visit }) => {
  const page = await visit({ at: '/fr', options: { javaScriptEnabled: false, viewport: PHONE } })
  await expect(headerNav(page)).toBeHidden()
  await menuButton(page).click()
  await expect(headerNav(page).getByRole('link')).toHaveText(['À propos', 'Comment ça marche', 'FAQ', 'Nous joindre'])
  for (const name of ['Se connecter', 'S’inscrire']) await expect(linkIn(page, 'banner', name)).toBeVisible()
  await linkIn(page, 'banner', 'À propos').click()
  await expect(page).toHaveURL(/\/fr\/about-us$/)
  await expect(headerNav(page)).toBeHidden()
  // and closes with the button that opened it
  await menuButton(page).click()
  await expect(headerNav(page)).toBeVisible()
  await menuButton(page).click()
  await expect(headerNav(page)).toBeHidden()

  // with them
  const scripted = await visit({ at: '/', options: { viewport: PHONE } })
  const links = headerNav(scripted)
  const open = async () => {
    await menuButton(scripted).click()
    await expect(links).toBeVisible()
  }

  await open()
  await links.getByRole('link').nth(2).focus()
  await scripted.keyboard.press('Escape')
  await expect(links).toBeHidden()
  await expect(menuButton(scripted)).toBeFocused()

  await open()
  await scripted.mouse.click(195, 800)
  await expect(links).toBeHidden()

  await open()
  await scripted.getByRole('banner').getByRole('button', { name: /theme/ }).focus()
  await expect(links).toBeVisible()
  await scripted.keyboard.press('Tab')
  await expect(links).toBeHidden()
  await expect(scripted.getByRole('main').locator(':focus')).toHaveCount(1)

  await open()
  await linkIn(scripted, 'banner', 'FAQs').click()
  await expect(scripted).toHaveURL(/\/#faq$/)
  await expect(links).toBeHidden()
  await expect(scripted.getByRole('heading', { name: 'Frequently asked questions' })).toBeInViewport()

  // on a screen as low as a page zoomed to 400 % the whole menu can be reached
  await scripted.setViewportSize({ width: 320, height: 256 })
  await scripted.goto('/fr/about-us')
  await menuButton(scripted).click()
  const last = scripted.getByRole('banner').getByRole('link', { name: 'English' })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
  await last.click()
  await expect(scripted).toHaveURL(/\/about-us$/)
  // the header does not stick on so low a screen
  await scripted.getByRole('heading', { name: 'Our mission' }).scrollIntoViewIfNeeded()
  await expect(scripted.getByRole('banner')).not.toBeInViewport()
  expect(await scripted.evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('the current page alone is marked, and the language switch keeps the address', async ({ visit, pageGuard }) => {
  pageGuard.allow(/^404 GET \/(fr\/)?no-such-page/)
  const page = await visit()
  const currentLinks = (part: 'banner' | 'contentinfo') => page.getByRole(part).locator('[aria-current=page]')
  for (const [path, name] of [
    ['/about-us', 'About Us'],
    ['/fr/about-us', 'À propos'],
  ] as const) {
    await page.goto(path)
    await expect(currentLinks('banner').filter({ visible: true })).toHaveText(name)
    await expect(currentLinks('contentinfo')).toHaveText(name)
  }
  await page.goto('/')
  await expect(headerNav(page).locator('[aria-current]')).toHaveCount(0)
  await page.goto('/privacy')
  await expect(currentLinks('contentinfo')).toHaveText('Privacy Policy')

  const switchLanguage = (name: string) => page.getByRole('banner').getByRole('link', { name })
  await page.goto('/?from=mail#faq')
  await switchLanguage('Français').click()
  await expect(page).toHaveURL(/\/fr\?from=mail#faq$/)
  await expect(page.getByRole('heading', { name: 'Foire aux questions' })).toBeInViewport()
  // the fragment may have been added after the page loaded
  await linkIn(page, 'banner', 'Comment ça marche').click()
  await expect(page).toHaveURL(/\/fr\?from=mail#how-it-works$|\/fr#how-it-works$/)
  await switchLanguage('English').click()
  await expect(page).toHaveURL(/localhost:\d+\/(\?from=mail)?#how-it-works$/)
  // also where there is no page
  await page.goto('/no-such-page?from=mail#end')
  await switchLanguage('Français').click()
  await expect(page).toHaveURL(/\/fr\/no-such-page\?from=mail#end$/)
})
