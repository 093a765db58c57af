import { expect, test } from '../support/fixtures.ts'

test('the landing page works in both languages without any script', async ({ person, visit }) => {
  const page = await visit({ at: '/', options: { javaScriptEnabled: false } })
  await expect(page.getByRole('heading', { level: 1, name: 'Know the plate? Reach the owner.' })).toBeVisible()
  await page.getByRole('link', { name: 'Français' }).first().click()
  await expect(page).toHaveURL(/\/fr$/)
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
  for (const anchor of ['#features', '#how-it-works', '#faq']) {
    await page.goto(`/${anchor}`)
    await expect(page.locator(anchor).getByRole('heading', { level: 2 })).toBeInViewport()
  }
  await expect(page.locator('#faq details')).toHaveCount(10)

  // a link to an answer opens that answer alone
  await page.goto('/#faq-disputes')
  const open = page.locator('#faq details[open]')
  await expect(page.locator('#faq-disputes')).toBeInViewport()
  await expect(open).toHaveCount(1)
  // the header does not cover its question
  await expect(open.locator('summary')).toBeInViewport({ ratio: 1 })
  const header = await page.getByRole('banner').boundingBox()
  const question = await open.locator('summary').boundingBox()
  expect(question!.y).toBeGreaterThanOrEqual(header!.y + header!.height)

  await page.locator('#faq summary').first().click()
  await expect(page.locator('#faq-what')).toBeVisible()
  await expect(page.locator('#faq-disputes')).toBeHidden()
  await expect(open).toHaveCount(1)
  await page.locator('#faq summary').first().click()
  await expect(open).toHaveCount(0)

  // without scripts nobody can be known: also a signed-in user sees the visitor's buttons
  const member = await visit({ as: await person(), at: '/', options: { javaScriptEnabled: false } })
  await expect(member.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible()
  await expect(member.getByRole('main').getByRole('link', { name: 'Go to Dashboard' }).first()).toBeHidden()
})

test('the theme follows the system until one is chosen for every page', async ({ visit }) => {
  const page = await visit({ at: '/', options: { colorScheme: 'light' } })
  const backgroundColor = () => page.evaluate(`getComputedStyle(document.body).backgroundColor`)
  const light = await backgroundColor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(backgroundColor).not.toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(backgroundColor).toBe(light) // the page may learn of it after the answer
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await expect.poll(backgroundColor).not.toBe(light)
  const dark = await backgroundColor()
  for (const path of ['/login', '/fr']) {
    await page.goto(path)
    expect(await backgroundColor()).toBe(dark)
  }
})

test('the animation of the landing page plays once, and not at all with reduced motion', async ({ visit }) => {
  const page = await visit({ options: { reducedMotion: 'no-preference' } })
  await page.addInitScript({
    content: `window.motions = []
      addEventListener('animationstart', (event) => window.motions.push(event.animationName))`,
  })
  await page.goto('/')
  await expect.poll(() => page.evaluate('window.motions')).toEqual(['arrive', 'reach', 'arrive'])
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0) // it does not start again
  expect(await page.evaluate('window.motions.length')).toBe(3)

  const still = await visit({ at: '/' }) // as all these tests are
  expect(await still.evaluate('document.getAnimations().length')).toBe(0)
  // a change of size is over at once, also on the paper of somebody who prints
  const widths = await still.getByRole('main').evaluate((element) =>
    ['640px', '320px'].map((width) => {
      element.style.width = width
      return getComputedStyle(element).width
    }),
  )
  expect(widths).toEqual(['640px', '320px'])
  for (const text of ['Your lights are on. Level P2, by the elevator.', 'Thank you! On my way.'])
    await expect(still.getByText(text).locator('..')).toHaveCSS('opacity', '1')
})
