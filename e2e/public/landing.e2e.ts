import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

/** Runs in the page; a string, because this file has no types of the DOM. */
const RECORD_ANIMATIONS = `
  window.motions = []
  addEventListener('animationstart', (event) => window.motions.push(event.animationName))`

/** Returns the names of the animations that run, or wait to run, anywhere on the page. */
const runningAnimations = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)`)

test('the structured data has the questions and answers of the page, in both languages', async ({ visit, product }) => {
  for (const at of ['/', '/fr']) {
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
  }
})

test('the animation plays the message and its reply once, and not at all with reduced motion', async ({ visit }) => {
  const page = await visit({ options: { reducedMotion: 'no-preference' } })
  await page.addInitScript(RECORD_ANIMATIONS)
  await page.goto('/')
  await expect.poll(() => page.evaluate('window.motions')).toEqual(['arrive', 'reach', 'arrive'])
  await expect.poll(() => runningAnimations(page)).toEqual([]) // it does not start again
  expect(await page.evaluate('window.motions.length')).toBe(3)
  for (const text of ['Your lights are on. Level P2, by the elevator.', 'Thank you! On my way.']) {
    await expect(page.getByText(text)).toBeVisible()
  }

  const still = await visit({ at: '/' }) // as all these tests are
  expect(await runningAnimations(still)).toEqual([])
  for (const text of ['Your lights are on. Level P2, by the elevator.', 'Thank you! On my way.']) {
    await expect(still.getByText(text).locator('..')).toHaveCSS('opacity', '1')
  }
})
