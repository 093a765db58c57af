import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const MEMBER_LINKS: readonly string[] = ['Dashboard', 'Go to Dashboard']
const VISITOR_LINKS: readonly string[] = ['Log In', 'Sign Up', 'Register Your Vehicle']

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

test('no frame shows a member the visitor’s buttons, or a visitor the member’s', async ({ person, visit }) => {
  const [member, visitor] = [await visit({ as: await person() }), await visit()]
  for (const page of [member, visitor]) await recordShownLinks(page)
  for (const path of ['/', '/contact-us']) {
    for (const [page, own, others] of [
      [member, MEMBER_LINKS, VISITOR_LINKS],
      [visitor, VISITOR_LINKS, MEMBER_LINKS],
    ] as const) {
      await page.goto(path)
      await expect(link(page, own[0]!)).toBeVisible()
      const wanted = expect.arrayContaining(own.slice(0, path === '/' ? undefined : 1))
      await expect.poll(() => everShown(page), path).toEqual(wanted) // a frame comes later than what it will show
      const shown = await everShown(page)
      expect(
        shown.filter((text) => others.includes(text)),
        path,
      ).toEqual([])
    }
  }
})
