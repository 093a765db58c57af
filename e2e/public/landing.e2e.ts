import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

/** Runs in the page; a string, because this file has no types of the DOM. */
const RECORD_ANIMATIONS = `
  window.motions = []
  addEventListener('animationstart', (event) => window.motions.push(event.animationName))`

/** Returns the names of the animations that run, or wait to run, anywhere on the page. */
const runningAnimations = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)`)

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
