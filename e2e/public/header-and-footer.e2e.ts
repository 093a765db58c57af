import type { Page } from '@playwright/test'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'

const HOME = { en: '/', fr: '/fr' }
const PHONE = { width: 390, height: 844 }

/** The links of header and footer, and where each leads: to a heading of a page, or to a section of the landing page. */
const LINK_TARGETS = {
  en: {
    'About Us': ['/about-us', 'The note that reaches its owner'],
    'How It Works': ['/#how-it-works', 'How it works'],
    FAQs: ['/#faq', 'Frequently asked questions'],
    'Contact Us': ['/contact-us', 'Get in Touch'],
    Features: ['/#features', ''],
    'Log In': ['/login', 'Log In'],
    'Send a Message': ['/login', 'Log In'],
    'Sign Up': ['/signup', 'Create your account'],
    'Terms and Conditions': ['/terms-and-conditions', 'Terms and Conditions'],
    'Privacy Policy': ['/privacy', 'Privacy Policy'],
    Accessibility: ['/accessibility', 'Accessibility'],
  },
  fr: {
    'À propos': ['/fr/about-us', 'La note qui trouve son destinataire'],
    'Comment ça marche': ['/fr#how-it-works', 'Comment ça marche'],
    FAQ: ['/fr#faq', 'Foire aux questions'],
    'Nous joindre': ['/fr/contact-us', 'Écrivez-nous'],
    Fonctionnalités: ['/fr#features', ''],
    'Se connecter': ['/fr/login', 'Se connecter'],
    'Envoyer un message': ['/fr/login', 'Se connecter'],
    'S’inscrire': ['/fr/signup', 'Créez votre compte'],
    'Conditions d’utilisation': ['/fr/terms-and-conditions', 'Conditions d’utilisation'],
    'Politique de confidentialité': ['/fr/privacy', 'Politique de confidentialité'],
    Accessibilité: ['/fr/accessibility', 'Accessibilité'],
  },
} as const

const headerNav = (page: Page) =>
  page.getByRole('banner').getByRole('navigation', { name: /^(Main navigation|Navigation principale)$/ })
const menuButton = (page: Page) => page.locator('summary', { hasText: 'Menu' })
const linkIn = (page: Page, part: 'banner' | 'contentinfo', name: string) =>
  page.getByRole(part).getByRole('link', { name, exact: true })

for (const locale of sample.pick('header and footer', ['en', 'fr'] as const)) {
  test(`the links of header and footer lead where they say, without scripts (${locale})`, async ({ visit }) => {
    const page = await visit({ at: `${HOME[locale]}`, options: { javaScriptEnabled: false } })
    const names = Object.keys(LINK_TARGETS[locale])
    await expect(headerNav(page).getByRole('link')).toHaveText(names.slice(0, 4))
    const found = await page.getByRole('contentinfo').getByRole('navigation').getByRole('link').allTextContents()
    expect(found.toSorted()).toEqual(names.toSorted())
    for (const [name, [address, heading]] of Object.entries(LINK_TARGETS[locale])) {
      const part = names.indexOf(name) < 4 ? 'banner' : 'contentinfo'
      await expect(linkIn(page, part, name)).toHaveAttribute('href', address)
      await expect(linkIn(page, 'contentinfo', name)).toHaveAttribute('href', address)
      await linkIn(page, part, name).click()
      expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(address)
      const anchor = new URL(page.url()).hash
      if (anchor) await expect(page.locator(anchor)).toBeInViewport()
      if (heading) await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible()
      await page.goto(HOME[locale])
    }
  })

  test(`the menu of a small screen opens and its links work without scripts (${locale}) @always`, async ({ visit }) => {
    const page = await visit({ at: HOME[locale], options: { javaScriptEnabled: false, viewport: PHONE } })
    await expect(headerNav(page)).toBeHidden()
    await menuButton(page).click()
    const names = Object.keys(LINK_TARGETS[locale]).slice(0, 4)
    await expect(headerNav(page).getByRole('link')).toHaveText(names)
    for (const name of locale === 'en' ? ['Log In', 'Sign Up'] : ['Se connecter', 'S’inscrire'])
      await expect(linkIn(page, 'banner', name)).toBeVisible()
    await linkIn(page, 'banner', names[0]!).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(Object.values(LINK_TARGETS[locale])[0]![1])
    await expect(headerNav(page)).toBeHidden()
    // and closes with the button that opened it
    await menuButton(page).click()
    await expect(headerNav(page)).toBeVisible()
    await menuButton(page).click()
    await expect(headerNav(page)).toBeHidden()
  })
}

test('the open menu closes on Escape, on a press outside, when the focus leaves it, and on a link within its page', async ({
  visit,
}) => {
  const page = await visit({ at: '/', options: { viewport: PHONE } })
  const links = headerNav(page)
  const open = async () => {
    await menuButton(page).click()
    await expect(links).toBeVisible()
  }

  await open()
  await links.getByRole('link').nth(2).focus()
  await page.keyboard.press('Escape')
  await expect(links).toBeHidden()
  await expect(menuButton(page)).toBeFocused()

  await open()
  await page.mouse.click(195, 800)
  await expect(links).toBeHidden()

  await open()
  await page.getByRole('banner').getByRole('button', { name: /theme/ }).focus()
  await expect(links).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(links).toBeHidden()
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)

  await open()
  await linkIn(page, 'banner', 'FAQs').click()
  await expect(page).toHaveURL(/\/#faq$/)
  await expect(links).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Frequently asked questions' })).toBeInViewport()
})

test('the whole menu can be reached on a screen as low as a page zoomed to 400 %', async ({ visit }) => {
  const page = await visit({ at: '/fr/about-us', options: { viewport: { width: 320, height: 256 } } })
  await menuButton(page).click()
  const last = page.getByRole('banner').getByRole('link', { name: 'English' })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
  await last.click()
  await expect(page).toHaveURL(/\/about-us$/)
  // the header does not stick on so low a screen
  await page.getByRole('heading', { name: 'Our mission' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('banner')).not.toBeInViewport()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
})

test('only the current page is marked in the navigation', async ({ visit }) => {
  const page = await visit()
  const currentLinks = (part: 'banner' | 'contentinfo') => page.getByRole(part).locator('[aria-current=page]')
  for (const [path, name] of [
    ['/about-us', 'About Us'],
    ['/fr/about-us', 'À propos'],
    ['/contact-us', 'Contact Us'],
  ] as const) {
    await page.goto(path)
    await expect(currentLinks('banner').filter({ visible: true })).toHaveText(name)
    await expect(currentLinks('contentinfo')).toHaveText(name)
  }
  await page.goto('/')
  await expect(headerNav(page).locator('[aria-current]')).toHaveCount(0)
  await page.goto('/privacy')
  await expect(currentLinks('contentinfo')).toHaveText('Privacy Policy')
})

test('the language switch keeps the page, its query and its anchor', async ({ visit }) => {
  const page = await visit({ at: '/about-us' })
  const switchLanguage = (name: string) => page.getByRole('banner').getByRole('link', { name })
  await switchLanguage('Français').click()
  await expect(page).toHaveURL(/\/fr\/about-us$/)
  await switchLanguage('English').click()
  await expect(page).toHaveURL(/localhost:\d+\/about-us$/)

  await page.goto('/?from=mail#faq')
  await switchLanguage('Français').click()
  await expect(page).toHaveURL(/\/fr\?from=mail#faq$/)
  await expect(page.getByRole('heading', { name: 'Foire aux questions' })).toBeInViewport()
  // the fragment may have been added after the page loaded
  await linkIn(page, 'banner', 'Comment ça marche').click()
  await expect(page).toHaveURL(/\/fr\?from=mail#how-it-works$|\/fr#how-it-works$/)
  await switchLanguage('English').click()
  await expect(page).toHaveURL(/localhost:\d+\/(\?from=mail)?#how-it-works$/)
})

test('the footer shows the year and the support address, and shares this very site', async ({ visit, product }) => {
  const page = await visit()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).origin))
  for (const [home, share] of [
    ['/', 'Share on Facebook (opens in a new tab)'],
    ['/fr', 'Partager sur Facebook (s’ouvre dans un nouvel onglet)'],
  ] as const) {
    await page.goto(home)
    const foot = page.getByRole('contentinfo')
    await expect(foot.getByText('© 2025 PlateNote')).toBeVisible()
    await expect(foot.getByRole('link', { name: 'support@platenote.ca' })).toHaveAttribute(
      'href',
      'mailto:support@platenote.ca',
    )
    const address = encodeURIComponent(product.url + home)
    await expect(foot.getByRole('link', { name: share })).toHaveAttribute(
      'href',
      `https://www.facebook.com/sharer/sharer.php?u=${address}`,
    )
    const externalLinks = await foot.locator('a[target=_blank]').all()
    expect(externalLinks).toHaveLength(4)
    for (const link of externalLinks) {
      const url = new URL((await link.getAttribute('href')) ?? '')
      expect(url.protocol).toBe('https:')
      expect([...url.searchParams.values()].join(' ')).toContain(product.url + home)
      expect(await link.getAttribute('rel')).toContain('noopener')
    }
    const mail = await foot.getByRole('link', { name: /^(Share by email|Partager par courriel)$/ }).getAttribute('href')
    expect(new URL(mail ?? '').searchParams.get('body')).toContain(product.url + home)
  }
  expect(new Set(requested)).toEqual(new Set([product.url])) // the logos of other sites are served by us
})

test('a signed-in user finds the dashboard and the message form in the footer', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/about-us' })
  for (const part of ['banner', 'contentinfo'] as const)
    await expect(linkIn(page, part, 'Dashboard')).toHaveAttribute('href', '/dashboard')
  await expect(linkIn(page, 'contentinfo', 'Send a Message')).toHaveAttribute('href', '/send')
  for (const name of ['Log In', 'Sign Up']) await expect(linkIn(page, 'contentinfo', name)).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to Dashboard' })).toBeVisible()
})

test('pages without the footer link to terms, privacy and help too', async ({ person, visit }) => {
  const visitor = await visit({ at: '/fr/login' })
  await linkIn(visitor, 'contentinfo', 'Confidentialité').click()
  await expect(visitor.getByRole('heading', { level: 1, name: 'Politique de confidentialité' })).toBeVisible()

  const owner = await visit({ as: await person(), at: '/dashboard' })
  await linkIn(owner, 'banner', 'Terms').click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Terms and Conditions' })).toBeVisible()
  await owner.goBack()
  await linkIn(owner, 'banner', 'Help').click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Get in Touch' })).toBeVisible()
})

test('the about page tells the story, the mission and the four values', async ({ visit }) => {
  const page = await visit({ at: '/about-us', options: { javaScriptEnabled: false } })
  await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true })).toContainText([
    'A slip of paper',
    'Private both ways',
    'Our mission',
    'What we stand for',
  ])
  await expect(page.getByRole('main').getByRole('heading', { level: 3 })).toHaveText([
    'Privacy first',
    'Zero barriers',
    'Security always',
    'Community driven',
  ])
  await expect(page.getByRole('main').getByRole('link', { name: 'Register Your Vehicle' })).toHaveAttribute(
    'href',
    '/signup',
  )
  await expect(page.getByRole('main').getByRole('link', { name: 'Send a Message' })).toHaveAttribute('href', '/login')
})
