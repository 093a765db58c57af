import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const SHARE_IMAGE_BYTES = 80 * 1024
const WITHOUT_SCRIPTS = { javaScriptEnabled: false }

/** Runs in the page; a string, because this file has no types of the DOM. */
const RECORD_ANIMATIONS = `
  window.motions = []
  addEventListener('animationstart', (event) => window.motions.push(event.animationName))`

/** Returns the names of the animations that run, or wait to run, anywhere on the page. */
const runningAnimations = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)`)

for (const at of ['/', '/fr']) {
  test(`the structured data has the questions and answers of the page (${at})`, async ({ visit, product }) => {
    const page = await visit({ at })
    const [data, ...more] = await page.locator('script[type="application/ld+json"]').allTextContents()
    expect(more).toEqual([])
    const graph = (JSON.parse(data!) as { '@graph': Record<string, unknown>[] })['@graph']
    const of = (type: string) => graph.find((one) => one['@type'] === type)

    const questions = of('FAQPage')!['mainEntity'] as { name: string; acceptedAnswer: { text: string; url: string } }[]
    const items = page.locator('#faq details')
    expect(questions.map(({ name }) => name)).toEqual(await items.locator('summary').allTextContents())
    expect(questions.map(({ acceptedAnswer }) => acceptedAnswer.text)).toEqual(
      await items.locator('p').allTextContents(),
    )
    expect(questions).toHaveLength(10)
    for (const { acceptedAnswer } of questions) {
      const { origin, pathname, hash } = new URL(acceptedAnswer.url)
      expect([origin, pathname]).toEqual([product.url, at])
      await expect(page.locator(hash)).toHaveCount(1)
    }

    expect(of('WebSite')).toMatchObject({ name: 'PlateNote', url: product.url + at })
    const organization = of('Organization')!
    expect(organization).toMatchObject({ name: 'PlateNote', url: `${product.url}/` })
    const { email } = organization['contactPoint'] as { email: string }
    await expect(page.getByRole('contentinfo').getByRole('link', { name: email })).toHaveAttribute(
      'href',
      `mailto:${email}`,
    )
    expect((await page.request.get(organization['logo'] as string)).headers()['content-type']).toBe('image/png')
  })

  test(`a link to an answer opens that answer alone, without scripts (${at})`, async ({ visit }) => {
    const page = await visit({ at: `${at}#faq-disputes`, options: WITHOUT_SCRIPTS })
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
  })

  test(`the share image is light, and its words are in its alternative text (${at})`, async ({ page }) => {
    await page.goto(at)
    const address = await page.locator('meta[property="og:image"]').getAttribute('content')
    const picture = await (await page.request.get(address!)).body()
    expect(picture.length).toBeLessThanOrEqual(SHARE_IMAGE_BYTES)
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    const alt = await page.locator('meta[property="og:image:alt"]').getAttribute('content')
    expect(alt).toContain(title.replace(/\s+/g, ' '))
  })
}

test('the animation plays the message and its reply once', async ({ visit }) => {
  const page = await visit({ options: { reducedMotion: 'no-preference' } })
  await page.addInitScript(RECORD_ANIMATIONS)
  await page.goto('/')
  await expect.poll(() => page.evaluate('window.motions')).toEqual(['arrive', 'reach', 'arrive'])
  await expect.poll(() => runningAnimations(page)).toEqual([]) // it does not start again
  expect(await page.evaluate('window.motions.length')).toBe(3)
  for (const text of ['Your lights are on. Level P2, by the elevator.', 'Thank you! On my way.']) {
    await expect(page.getByText(text)).toBeVisible()
  }
})

test('with reduced motion nothing moves, and the whole picture is there at once', async ({ visit }) => {
  const page = await visit({ at: '/', options: { reducedMotion: 'reduce' } })
  expect(await runningAnimations(page)).toEqual([])
  for (const text of ['Your lights are on. Level P2, by the elevator.', 'Thank you! On my way.']) {
    await expect(page.getByText(text).locator('..')).toHaveCSS('opacity', '1')
  }
})
