import { sample } from '../../scripts/lib/sample.mjs'
import { formPages, ownerPages, textPages } from '../../web/pages.mjs'
import { expect, test } from '../support/fixtures.ts'
import { createPopulatedUser } from '../support/populated-user.ts'
import { auditTabOrder, tabTo } from '../support/tab-order.ts'

test.describe.configure({ mode: 'parallel' })

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const PUBLIC_PAGES = [...textPages, ...formPages, '/no-such-page']

const SIZES = [
  { size: 'phone', viewport: PHONE },
  { size: 'desktop', viewport: DESKTOP },
]
/** Today's size for the public pages; the signed-in ones get the other, so that both are seen every day. */
const today = sample.turn('keyboard', SIZES.length)
const publicSizes = sample.runsAll ? SIZES : SIZES.slice(today, today + 1)
const signedInSizes = sample.runsAll ? SIZES : SIZES.filter((size) => !publicSizes.includes(size))
const sampled = (size: string) => ({ annotation: { type: 'sample', description: size } })
/** Returns every page in a whole run, otherwise a third of them a day: with two sizes, half of them would be in one size only. */
const pagesOfToday = (paths: string[]) => sample.part('pages by keyboard', paths, 3)

for (const { size, viewport } of publicSizes) {
  const title = `Tab reaches every control of the public pages, in order and visibly (${size})`
  test(title, sampled(size), async ({ visit, pageGuard }) => {
    pageGuard.allow(/^404 GET \/no-such-page/)
    const page = await visit({ options: { viewport, reducedMotion: 'reduce' } })
    const problems = []
    for (const path of pagesOfToday(PUBLIC_PAGES)) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      problems.push(...(await auditTabOrder(page, path)))
    }
    expect(problems).toEqual([])
  })
}

for (const { size, viewport } of signedInSizes) {
  const title = `Tab reaches every control of the signed-in pages, in order and visibly (${size})`
  test(title, sampled(size), async ({ person, visit }) => {
    const options = { viewport, reducedMotion: 'reduce' } as const
    const page = await visit({ as: await createPopulatedUser(() => person()), options })
    const problems = []
    for (const path of pagesOfToday(ownerPages)) {
      await page.goto(path)
      await expect(page.locator('main :is(article, li, form)').first()).toBeVisible()
      await expect(page.locator('main .skeleton')).toHaveCount(0)
      // the choice of a vehicle comes when the vehicles are known; a copy or a card of no message leads to the messages
      if (/^\/dashboard\/(message|collision)/.test(path)) await expect(page.locator('main select')).toBeVisible()
      problems.push(...(await auditTabOrder(page, path)))
    }
    expect(problems).toEqual([])
  })
}

test('a visitor gets from the menu to a sent contact message with the keyboard alone', async ({ visit }) => {
  const page = await visit({ at: '/', options: { viewport: PHONE, reducedMotion: 'reduce' } })
  const focused = page.locator(':focus')
  const header = page.getByRole('banner')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Skip to content')

  // the menu opens, closes on Escape with the focus back on its button, and its links work
  const toggle = header.locator('summary')
  await tabTo(page, toggle)
  await page.keyboard.press('Enter')
  const about = header.getByRole('link', { name: 'About Us' })
  await expect(about).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('About Us')
  await page.keyboard.press('Escape')
  await expect(about).toBeHidden()
  await expect(toggle).toBeFocused()
  await page.keyboard.press('Space')
  for (const name of ['About Us', 'How It Works', 'FAQs']) {
    await page.keyboard.press('Tab')
    await expect(focused).toHaveText(name)
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#faq$/)
  await expect(about).toBeHidden() // nothing covers the section
  await expect(page.locator('#faq')).toBeInViewport()

  // the questions: Tab goes on from the section that was followed to, and one is open at a time
  const questions = page.locator('#faq summary')
  await tabTo(page, questions.first())
  await page.keyboard.press('Enter')
  await expect(page.locator('#faq details').first()).toHaveJSProperty('open', true)
  await tabTo(page, questions.nth(1))
  await page.keyboard.press('Space')
  await expect(page.locator('#faq details[open]')).toHaveCount(1)
  await expect(page.locator('#faq details').nth(1)).toHaveJSProperty('open', true)

  // the contact form: submitting it empty leads to its first field, filled in it is sent
  await tabTo(page, page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Get in Touch' })).toBeVisible()
  const form = page.getByRole('main').locator('form')
  const send = form.locator('button[type=submit]')
  await tabTo(page, send)
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Robin Tester')
  await tabTo(page, form.getByLabel('Email'))
  await page.keyboard.type('robin@example.com')
  await tabTo(page, form.getByLabel('Subject'))
  await page.keyboard.press('ArrowDown')
  await tabTo(page, form.getByLabel('Message'))
  await page.keyboard.type('How do I remove a plate?')
  await tabTo(page, send)
  await page.keyboard.press('Enter')
  const sent = page.getByRole('heading', { name: 'Message Sent!' })
  await expect(sent).toBeVisible()
  // the form is gone with the focus in it: Tab goes on from what took its place
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})

test('an owner deletes a vehicle with the keyboard alone', async ({ person, visit }) => {
  const owner = await person()
  const [deleted, remaining] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const page = await visit({ as: owner, at: '/dashboard/vehicles', options: { reducedMotion: 'reduce' } })
  const remove = page.getByRole('button', { name: `Delete ${deleted.plate}` })
  const dialog = page.getByRole('alertdialog')
  await expect(remove).toBeVisible()
  await tabTo(page, remove)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused() // the harmless choice
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(remove).toBeFocused()

  await page.keyboard.press('Space')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    await expect(dialog.locator(':focus')).toHaveCount(1) // the page behind cannot be reached
  }
  const confirm = dialog.getByRole('button', { name: /^Delete/ })
  await tabTo(page, confirm)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(remove).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Delete ${remaining.plate}` })).toBeVisible()
  // its button is gone: the focus is in the list, not lost at the top of the page
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: `Pause ${remaining.plate}` })).toBeFocused()
})

test('an owner uses the skip link and the menu of a small screen with the keyboard alone', async ({
  person,
  visit,
}) => {
  const page = await visit({ as: await person(), at: '/dashboard' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const focused = page.locator(':focus')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Skip to content')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await page.setViewportSize(PHONE)
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Dashboard')
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab')
  await expect(focused).toContainText('Messages')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/messages/)
})
